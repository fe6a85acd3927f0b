import { DEFAULT_INSTANCE } from '@darkroom-service/engines';
import type { SharedAccount } from '../../additions/fleet/src/accounts/divide-account.ts';
import { fairShares } from '../../additions/fleet/src/accounts/fair-shares.ts';
import { SHARE_TIMES } from '../../additions/fleet/src/accounts/next-share.ts';
import { createShareKeeper, type ShareKeeper } from '../../additions/fleet/src/accounts/share-keeper.ts';
import type { Whole } from '../../additions/fleet/src/accounts/share-store.ts';
import { createShareTable } from '../../additions/fleet/test/share-table.ts';
import { createRateLimits } from '../../src/accounts/rate-limits.ts';
import { boundedLimit, CHANGE_EVERY_MS, createAnswers, type LimitedEngine } from '../../src/routing/engine-limits.ts';
import { createEngineLoad, type EngineLoad } from '../../src/worker/engine-load.ts';
import type { Drawn, World } from './world.ts';

/** The number of waiting and of running orders that a cell has at one upstream. */
export interface CellLoad {
  readonly waiting: number;
  readonly inFlight: number;
}

/** Limits of upstream accounts as the cells of a simulated fleet know and share them. */
export interface SharedAccounts {
  /** The load as each worker sees it. */
  readonly loads: readonly EngineLoad[];
  readonly engines: readonly Parameters<EngineLoad['limitOf']>[0][];
  limitOf(cell: number, upstream: number): number;
  countSubmission(worker: number, upstream: number): Promise<number | null>;
  refused(worker: number, upstream: number): void;
  succeeded(worker: number, upstream: number): void;
  /** A cell looks at its parts, or at its own limits if it has no others beside it. Every second. */
  refresh(cell: number): Promise<void>;
  /** Returns the fair part of each cell. */
  fairPartsOf(upstream: number): number[];
}

/** Creates the cells' view of their shared upstream accounts. @param now virtual time, in milliseconds */
export function openSharedAccounts(
  world: World,
  { engines: limited, submissionsPerMinute }: Drawn,
  now: () => number,
  loadOf: (cell: number, upstream: number) => CellLoad,
): SharedAccounts {
  const engines = limited.map((engine) => ({
    ...engine,
    instance: { ...DEFAULT_INSTANCE, kind: engine.name, submissionsPerMinute },
    start: unused,
    check: unused,
  }));
  const table = createShareTable(now);
  const cells = Array.from({ length: world.cells }, (_, cell) =>
    world.cells === 1 ? openOwnLimits(cell) : openParts(cell),
  );
  const clock = { now };
  const machine = { canSpool: () => true, stalledMs: () => 0 };
  const paces = cells.map(() => createRateLimits(clock));
  const loads = Array.from({ length: world.workers }, (_, worker) => {
    const cell = worker % world.cells;
    const limits = { ...cells[cell]!, ...cells[cell]!.answers };
    return createEngineLoad(clock, limits, { of: ({ concurrency }) => concurrency }, paces[cell]!, machine);
  });

  function openParts(cell: number) {
    const answers = createAnswers();
    const accounts = engines.map((engine, upstream): SharedAccount => {
      const { name } = engine;
      return {
        id: name,
        limit: boundedLimit(engine),
        perMinute: { creates: submissionsPerMinute },
        async count(most) {
          const { waiting, inFlight } = loadOf(cell, upstream);
          return { used: inFlight, wanted: inFlight + Math.min(most, waiting) };
        },
        clamp: (limit) => boundedLimit(engine, limit),
        adapt: (limit, isFull) => answers.nextLimit(engine, limit, isFull),
        onAdapted: () => answers.forget(engine),
      };
    });
    const keeper: ShareKeeper = createShareKeeper({
      cell: String(cell),
      store: table.store,
      accounts: () => accounts,
      times: SHARE_TIMES,
      submits: true,
      steady: now,
      wall: now,
    });
    return {
      answers,
      refresh: keeper.refresh,
      of: ({ name }: LimitedEngine) => keeper.shareOf(name),
      perMinuteOf: (name: string) => keeper.shareOf(name, 'creates'),
      wholeOf: ({ name }: LimitedEngine) => (table.stateOf(name, '') as Whole | undefined)?.limit ?? 0,
    };
  }

  function openOwnLimits(cell: number) {
    const answers = createAnswers();
    const changes = new Map<string, { readonly limit: number; readonly at: number }>();
    const of = (engine: LimitedEngine) => boundedLimit(engine, changes.get(engine.name)?.limit);
    return {
      of,
      wholeOf: of,
      answers,
      async refresh() {
        for (const [upstream, engine] of engines.entries()) {
          const { name } = engine;
          const limit = of(engine);
          const { waiting, inFlight } = loadOf(cell, upstream);
          const next = answers.nextLimit(engine, limit, waiting > 0 && inFlight >= limit);
          if (next === limit || now() - (changes.get(name)?.at ?? Number.NEGATIVE_INFINITY) < CHANGE_EVERY_MS) continue;
          changes.set(name, { limit: next, at: now() });
          answers.forget(engine);
        }
      },
    };
  }

  return {
    loads,
    engines,
    limitOf: (cell, upstream) => cells[cell]!.of(engines[upstream]!),
    countSubmission: (worker, upstream) => loads[worker]!.countSubmission(engines[upstream]!),
    refused: (worker, upstream) => loads[worker]!.refused(engines[upstream]!),
    succeeded: (worker, upstream) => loads[worker]!.succeeded(engines[upstream]!),
    refresh: (cell) => cells[cell]!.refresh(),
    fairPartsOf(upstream) {
      const whole = cells[0]!.wholeOf(engines[upstream]!);
      const wishes = cells.map((_, cell) => {
        const { waiting, inFlight } = loadOf(cell, upstream);
        return Math.min(whole + 1, waiting + inFlight);
      });
      return fairShares(whole, wishes, 0);
    },
  };
}

function unused(): never {
  throw new Error('the simulation calls no engine');
}
