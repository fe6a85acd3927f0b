import { existsSync } from 'node:fs';
import { acquireEndedLock, acquireProcessLock, processLockPath } from '@darkroom-service/store';
import type { EndedProcesses } from '../spool/unsaved-answers.ts';

/**
 * Creates the record of processes of this machine that have ended.
 * @param directory the directory of process locks beside the spool; a running process with spooled answers holds a lock
 * there
 */
export function createEndedProcesses(directory: string): EndedProcesses {
  return {
    take(processId) {
      const path = processLockPath(directory, processId);
      if (existsSync(path)) {
        const lock = acquireEndedLock(path);
        // The file also proves that the tasks of the process can be taken over. The process that has done so removes
        // it.
        return lock === null ? null : { release: () => lock.release({ keepsFile: true }) };
      }
      try {
        // The process released its lock when it stopped. Taking it here keeps other processes away.
        return acquireProcessLock(directory, processId);
      } catch {
        return null;
      }
    },
  };
}
