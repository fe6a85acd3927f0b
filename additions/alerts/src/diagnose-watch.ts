import { isoTime } from '@darkroom-service/contract';
import type { Check, Question } from '@darkroom-service/darkroom/kernel';
import { listProcesses } from '@darkroom-service/darkroom/kernel-cli';
import { choreAgeMs } from '@darkroom-service/store';
import { lastingAlerts } from './record-conditions.ts';
import { LOOKED } from './watch-health.ts';

/** Age from which on the last look is late; there is one every minute. */
const LATE_MS = 5 * 60_000;
const NAME = 'alert checks';

/** Reports whether the running service looks for the conditions of alerts. */
export async function diagnoseWatch({
  now,
  process,
  read,
}: Pick<Question, 'now' | 'process' | 'read'>): Promise<Check[]> {
  if (read === null) return [];
  const failing = (await lastingAlerts(read)).filter(({ kind }) => kind === 'watch_failed');
  if (failing.length > 0) {
    const found = failing.map(({ summary }) => summary).join('\n');
    const advice = 'Read the log (could not check for alerts). Alerts of these kinds neither begin nor end meanwhile.';
    return [{ name: NAME, status: 'failed', found, advice }];
  }
  const ageMs = await choreAgeMs(read, LOOKED);
  const runs = process !== null || (await listProcesses(read)).some(({ state }) => state === 'running');
  if (!runs || ageMs === null)
    return [{ name: NAME, status: 'ok', found: 'made while the service runs', advice: null }];
  const found = `the last was made ${Math.round(ageMs / 1000)} s ago`;
  if (ageMs < LATE_MS) return [{ name: NAME, status: 'ok', found, worked_at: isoTime(now - ageMs), advice: null }];
  return [
    { name: NAME, status: 'failed', found, advice: 'Read the log of the processes (could not check for alerts).' },
  ];
}
