import type { Act } from '../accounts/audit.ts';
import { fingerprint } from '../base/canonical-json.ts';
import type { Database, Session } from '../database/database.ts';
import { ADMIN_SCOPE, doOnce, type IdempotentRequest, type Once } from '../database/deeds.ts';
import type { Config } from '../service/config/config.ts';
import { withLocalData } from './local-database.ts';
import type { RepeatableOptions } from './repeatable-command.ts';

/**
 * Carries out a command that writes to the database in the data directory, once for its `--idempotency-key`. Operators
 * share their keys over the command line and the HTTP interface.
 * @param steps.asked the command and its arguments; or a fingerprint that the HTTP interface uses too
 */
export async function writeOnce<T>(
  absent: 'make' | 'refuse',
  { idempotencyKey: key }: RepeatableOptions,
  steps: {
    readonly asked: object | string;
    readonly make: (database: Database, by: Act, config: Config) => Promise<T>;
    readonly again: (read: Session, subject: string) => Promise<T>;
  },
): Promise<Once<T>> {
  const { asked } = steps;
  const request: IdempotentRequest | null =
    key === undefined
      ? null
      : { scope: ADMIN_SCOPE, key, fingerprint: typeof asked === 'string' ? asked : fingerprint(asked) };
  return await withLocalData(absent, ({ config, database, by }) =>
    doOnce({ database, now: by.now }, request, {
      make: (binding) => steps.make(database, { ...by, binding }, config),
      again: (subject) => steps.again(database.read, subject),
    }),
  );
}
