import { createRelease } from '../../src/additions/chains/releaser.ts';
import { claimWork } from '../../src/database/work.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { kernelOf } from './kernel.ts';

/** Creates a function that releases the children of ended parents as a worker does. @returns whether there were any */
export function createReleaseDue(services: TaskServices): () => Promise<boolean> {
  const release = createRelease(kernelOf(services));
  return async () => {
    const claims = await services.database.write('children_claim', (trx) =>
      claimWork(trx, { kind: 'children', limit: 16, leaseMs: 5_000, except: [] }),
    );
    await Promise.all(claims.map((claim) => release(claim, new AbortController().signal)));
    return claims.length > 0;
  };
}
