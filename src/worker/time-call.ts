import { type Engine, EngineError } from '../engines/engine.ts';
import type { TaskRow } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** Calls an engine and measures the duration. Simulated orders call nobody and are not measured. */
export async function timeCall<T>(
  { figures }: TaskServices,
  task: Pick<TaskRow, 'simulate_json'>,
  engine: Engine,
  call: 'start' | 'check',
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  if (task.simulate_json !== null) return await run();
  const began = performance.now();
  const end = (outcome: string) =>
    figures.upstreamCall({ engine: engine.name, call, outcome, seconds: (performance.now() - began) / 1000 });
  try {
    const answer = await run();
    end('ok');
    return answer;
  } catch (error) {
    end(signal.aborted ? 'aborted' : error instanceof EngineError ? error.class : 'error');
    throw error;
  }
}
