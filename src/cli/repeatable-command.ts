import type { Command } from 'commander';
import type { Act } from '../accounts/audit.ts';
import { fingerprint } from '../base/canonical-json.ts';
import { ADMIN_SCOPE, type Deed, doOnce, type Once } from '../database/deeds.ts';
import type { LocalData } from './local-database.ts';

export interface RepeatableOptions {
  readonly idempotencyKey?: string;
}

/** Adds `--idempotency-key` to a command that writes. */
export function withIdempotencyKey(command: Command): Command {
  return command.option('--idempotency-key <key>', 'done only once, however often you run the command');
}

/** The header of a command that writes over HTTP. */
export function idempotencyHeaders({ idempotencyKey: key }: RepeatableOptions): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key };
}

/**
 * Carries out a command that writes to the database, once for its `--idempotency-key`. Operators share their keys over
 * the command line and the HTTP interface.
 * @param asked the command and what it was run with; or a fingerprint that the HTTP interface has too
 */
export async function doCommandOnce<T>(
  { database, by }: Pick<LocalData, 'database' | 'by'>,
  { idempotencyKey: key }: RepeatableOptions,
  asked: object | string,
  steps: { readonly make: (by: Act) => Promise<T>; readonly again: (subject: string) => Promise<T> },
): Promise<Once<T>> {
  const deed: Deed | null =
    key === undefined
      ? null
      : { scope: ADMIN_SCOPE, key, fingerprint: typeof asked === 'string' ? asked : fingerprint(asked) };
  return await doOnce({ database, now: by.now }, deed, {
    make: (binding) => steps.make({ ...by, binding }),
    again: steps.again,
  });
}
