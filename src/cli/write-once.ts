import type { Act } from '../accounts/audit.ts';
import { fingerprint } from '../base/canonical-json.ts';
import { ADMIN_SCOPE, doOnce, type Once } from '../database/deeds.ts';
import { type LocalData, withLocalData } from './local-database.ts';
import type { RepeatableOptions } from './repeatable-command.ts';

/**
 * Carries out a command that writes to the database in the data directory, once for its `--idempotency-key`. Operators
 * share their keys over the command line and the HTTP interface.
 * @param steps.asked the command and its arguments; or what returns a fingerprint that the HTTP interface uses too
 */
export async function writeOnce<T>(
  absent: 'make' | 'refuse',
  { idempotencyKey: key }: RepeatableOptions,
  steps: {
    readonly asked: object | ((data: LocalData) => string);
    readonly make: (data: LocalData, by: Act) => Promise<T>;
    readonly again: (data: LocalData, subject: string) => Promise<T>;
  },
): Promise<Once<T>> {
  const { asked } = steps;
  return await withLocalData(absent, (data) => {
    const print = typeof asked === 'function' ? asked(data) : fingerprint(asked);
    const request = key === undefined ? null : { scope: ADMIN_SCOPE, key, fingerprint: print };
    return doOnce({ database: data.database, now: data.by.now }, request, {
      make: (binding) => steps.make(data, { ...data.by, binding }),
      again: (subject) => steps.again(data, subject),
    });
  });
}
