import { type Engine, EngineError } from '../../engines/engine.ts';
import { routeCircuit } from '../../routing/circuit.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import type { WorkerServices } from '../worker-services.ts';

const PROBE_TIMEOUT_MS = 5_000;

/** Logs a failed call. Calls of test keys are logged at debug level, because they do not concern the operator. */
export function logFault(
  { services }: WorkerServices,
  task: TaskRecord,
  engine: Engine,
  fields: { readonly err: unknown; readonly attempts: number; readonly took?: EngineError['took'] },
  message: string,
): void {
  const level = task.mode === 'test' ? 'debug' : 'warn';
  services.log[level]({ ...fields, task_id: task.id, engine: engine.name }, message);
}

/**
 * Reports a failed call to the circuits. Our own errors do not count, and an engine without an upstream has no circuit.
 */
export async function tellCircuit(
  { circuits, services }: WorkerServices,
  task: TaskRecord,
  engine: Engine,
  call: 'start' | 'check',
  error: unknown,
): Promise<void> {
  if (engine.repeatable === true || !(error instanceof EngineError)) return;
  if (error.elsewhere) return;
  const route = routeCircuit(task.route);
  // The upstream evaluated the order, so it works.
  if (error.class === 'invalid_input' || error.class === 'content_policy') {
    await circuits.succeeded(engine.name, call);
    return await circuits.succeeded(route, call);
  }
  services.figures.engineFault({ engine: engine.name, call, fault: error.class });
  if (call === 'start' && error.took === 'no' && (await isOfRouteAlone(error))) {
    // The upstream works; only this model cannot be ordered there.
    await circuits.succeeded(engine.name, call);
    await circuits.failed(route, call, task.id, error);
  } else await circuits.failed(engine.name, call, task.id, error);

  /** Some models need extra permissions: if the key is valid otherwise, the other models continue. */
  async function isOfRouteAlone({ scope, class: errorClass }: EngineError): Promise<boolean> {
    if (scope === 'route') return true;
    return errorClass === 'auth' && circuits.of(engine.name) === null && (await acceptsKey(engine));
  }
}

/** Tells whether the upstream answers and accepts the key; false if a probe would cost money. */
async function acceptsKey(engine: Engine): Promise<boolean> {
  const context = { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} };
  const probed = await engine.probe?.(context).catch(() => null);
  return probed?.ok === true;
}

/** Wraps our own errors. For a paid engine it is then unknown whether the order was accepted. */
export function asEngineError(error: unknown, engine: Pick<Engine, 'name' | 'repeatable'>): EngineError {
  if (error instanceof EngineError) return error;
  const took = engine.repeatable === true ? 'no' : 'unknown';
  return new EngineError('upstream', `the call to the engine ${engine.name} failed`, { took, cause: error });
}
