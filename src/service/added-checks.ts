import { type CheckResult, type Clock, world } from '@darkroom-service/contract';
import { wordsOf } from '../base/system-fault.ts';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import type { AddedCheck, Check, Question } from './check.ts';

/** The last results of the additions' checks that this process repeats. */
export interface AddedChecks {
  /** Returns the status of a part when it was last seen; null = no check has seen it. */
  statusOf(name: string): Check['status'] | null;
  /** Returns the results for `/readyz`. */
  list(): readonly CheckResult[];
}

const LIMIT_MS = 10_000;
const NOT_RUN: LastRun = { checks: [], fault: null };

interface Asking extends Pick<Question, 'config' | 'process'> {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly startRefresh: StartRefresh;
  /** Replaces the intervals, in tests. */
  readonly everyMs: number | undefined;
}

/** The last result of a check, and the reason why its last run failed. */
interface LastRun {
  readonly checks: readonly Check[];
  readonly fault: string | null;
}

/**
 * Starts the checks that have an interval. One that fails itself stops neither the start nor another check; `/readyz`
 * shows its reason until it runs again.
 */
export async function startAddedChecks(
  additions: readonly { readonly checks?: readonly AddedCheck[] }[],
  { config, process, database: { read }, clock, startRefresh, everyMs }: Asking,
  closers: Pick<AsyncDisposableStack, 'defer'>,
): Promise<AddedChecks> {
  const runs = new Map<AddedCheck, LastRun>();
  const start = async (check: AddedCheck, ownEveryMs: number) => {
    const refresh = await startRefresh(check.name, everyMs ?? ownEveryMs, async () => {
      const question = { now: clock.now(), config, process, options: {}, production: false, read };
      try {
        runs.set(check, { checks: await runAddedCheck(check, question), fault: null });
      } catch (error) {
        const known = runs.get(check);
        runs.set(check, { checks: known?.checks ?? [], fault: wordsOf(error) });
        // The first failure would stop the start; later ones are logged.
        if (known !== undefined) throw error;
      }
    });
    closers.defer(refresh.stop);
  };
  const added = additions.flatMap(({ checks = [] }) => checks);
  await Promise.all(added.map((check) => check.everyMs !== undefined && start(check, check.everyMs)));
  return {
    statusOf: (name) =>
      [...runs.values()].flatMap(({ checks }) => checks).find((check) => check.name === name)?.status ?? null,
    list: () =>
      added.flatMap((check) => {
        const { checks, fault } = runs.get(check) ?? NOT_RUN;
        return fault === null ? checks.map(resultOf) : [{ name: check.name, ok: false, detail: fault }];
      }),
  };
}

function resultOf({ name, status, found: detail, worked_at: at }: Check): CheckResult {
  return { name, ok: status === 'ok', detail, ...(at === undefined ? {} : { worked_at: at }) };
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
