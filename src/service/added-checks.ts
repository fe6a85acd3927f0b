import { type CheckResult, type Clock, world } from '@darkroom-service/contract';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import type { AddedCheck, Check, Question } from './check.ts';

/** The last results of the additions' checks that this process repeats. */
export interface AddedChecks {
  /** Returns the status of a part; null = no check has seen it. */
  statusOf(name: string): Check['status'] | null;
  /** Returns the results for `/readyz`. */
  list(): readonly CheckResult[];
}

const LIMIT_MS = 10_000;

interface Asking extends Pick<Question, 'config' | 'process'> {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly startRefresh: StartRefresh;
  /** Replaces the intervals, in tests. */
  readonly everyMs: number | undefined;
}

/** Starts the checks that have an interval. While one fails itself, its last result stays, and the others go on. */
export async function startAddedChecks(
  additions: readonly { readonly checks?: readonly AddedCheck[] }[],
  { config, process, database: { read }, clock, startRefresh, everyMs }: Asking,
  closers: AsyncDisposableStack,
): Promise<AddedChecks> {
  const results = new Map<AddedCheck, readonly Check[]>();
  for (const check of additions.flatMap(({ checks = [] }) => checks)) {
    if (check.everyMs === undefined) continue;
    const refresh = await startRefresh(check.name, everyMs ?? check.everyMs, async () => {
      const question = { now: clock.now(), config, process, options: {}, production: false, read };
      results.set(check, await runAddedCheck(check, question));
    });
    closers.defer(refresh.stop);
  }
  const found = () => [...results.values()].flat();
  return {
    statusOf: (name) => found().find((check) => check.name === name)?.status ?? null,
    list: () =>
      found().map(({ name, status, found: detail, worked_at: at }) => ({
        name,
        ok: status === 'ok',
        detail,
        ...(at === undefined ? {} : { worked_at: at }),
      })),
  };
}

/** Runs a check. @throws its error, or one if it has not answered within its time limit */
export async function runAddedCheck(
  { limitMs = LIMIT_MS, run }: AddedCheck,
  question: Question,
): Promise<readonly Check[]> {
  return await answeredWithin(limitMs, run(question));
}

/** Waits for the result of a check. @throws Error after the time limit */
export async function answeredWithin<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = world.setTimeout(() => reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
  });
  return await Promise.race([work, late]).finally(() => world.clearTimeout(timer));
}
