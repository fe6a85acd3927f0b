import type { Command } from 'commander';

/** Options of a command that `withIdempotencyKey` has extended. */
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
