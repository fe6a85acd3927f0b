import { existsSync } from 'node:fs';
import { acquireEndedLock, acquireProcessLock, processLockPath } from '../../base/process-lock.ts';
import type { EndedProcesses } from '../spool/answers-in-hand.ts';

/** @param directory of the process locks, beside the spool: a living process that has answers in the spool holds a lock there. */
export function createEndedProcesses(directory: string): EndedProcesses {
  return {
    take(processId) {
      const path = processLockPath(directory, processId);
      if (existsSync(path)) {
        const lock = acquireEndedLock(path);
        // It also proves that the tasks of the process can be taken over: whoever has done that removes it.
        return lock === null ? null : { release: () => lock.release({ keepsFile: true }) };
      }
      try {
        // It released its lock when it stopped. The lock taken here keeps others away meanwhile.
        return acquireProcessLock(directory, processId);
      } catch {
        return null;
      }
    },
  };
}
