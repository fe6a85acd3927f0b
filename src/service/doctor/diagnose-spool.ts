import { join } from 'node:path';
import { lockState, processLockPath } from '@darkroom-service/store';
import { DAMAGED, KEPT } from '../../worker/spool/answer-spool.ts';
import { readSpool } from '../../worker/spool/read-spool.ts';
import type { Observation } from '../check.ts';
import type { Config } from '../config/config.ts';

/** Reports engine answers that are on this disk because the database did not accept them, or not in time. */
export async function diagnoseSpool({ dataDirectory }: Pick<Config, 'dataDirectory'>): Promise<Observation> {
  const directory = join(dataDirectory, 'spool');
  const locks = join(dataDirectory, 'processes');
  let [unstored, left, kept, damaged] = [0, 0, 0, 0];
  for (const { name, kind, answers } of await readSpool(directory)) {
    if (kind === 'late') kept += answers;
    else if (kind === 'damaged') damaged += answers;
    else if (lockState(processLockPath(locks, name)) === 'held') unstored += answers;
    else left += answers;
  }
  const found = [
    unstored === 0 ? null : `${unstored} that a running process cannot store yet`,
    left === 0 ? null : `${left} of ended processes`,
    kept === 0 ? null : `${kept} that came too late, in ${join(directory, KEPT)}`,
    damaged === 0 ? null : `${damaged} that cannot be read, in ${join(directory, DAMAGED)}`,
  ].filter((part) => part !== null);
  if (found.length === 0) return { status: 'ok', found: `none waits in ${directory}`, advice: null };
  const advice = [
    unstored === 0 ? null : 'Keep this disk, and see why the database or the storage does not answer.',
    left === 0 ? null : 'Start a worker with this data directory: it stores them.',
    kept === 0 ? null : 'Compare them with GET /admin/v1/reconciliation, then delete them.',
    damaged === 0 ? null : 'Look at them by hand: their orders may have been paid for.',
  ].filter((part) => part !== null);
  return { status: 'warning', found: `in ${directory}: ${found.join('; ')}`, advice: advice.join(' ') };
}
