import { setMaxListeners } from 'node:events';
import { createIdFactory } from '@darkroom-service/contract';
import type { KnownShapes } from '../src/trial/answer-shape.ts';
import type { TrialStep } from '../src/trial/plan-trial.ts';
import { runTrial, type TrialReport } from '../src/trial/run-trial.ts';
import type { TrialBench } from './trial-bench.ts';

/** Tries the steps at a bench, as `darkroom engines try` does. */
export async function runTrials(
  { engines, recorder }: TrialBench,
  steps: readonly TrialStep[],
  options: { readonly dryRun: boolean; readonly known?: KnownShapes },
): Promise<TrialReport> {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const createId = createIdFactory(() => Date.now());
  return await runTrial(
    steps.filter(({ order }) => order !== null),
    steps.filter(({ order }) => order === null),
    {
      engines,
      recorder,
      signal,
      known: options.known ?? {},
      dryRun: options.dryRun,
      now: () => Date.now(),
      createTaskId: (type) => createId(type === 'image' ? 'img' : 'vid'),
      checkEveryMs: 5,
      onProgress: async () => {},
    },
  );
}
