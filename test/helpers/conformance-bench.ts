import assert from 'node:assert/strict';
import { type Clock, systemClock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { ContractHarness } from '@darkroom-service/engines/conformance';
import { type FakeUpstream, inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { until } from '@darkroom-service/testing';
import { createLog, type Log } from '../../src/base/log.ts';
import { openCatalogOverlay } from './catalog-overlay.ts';
import { conformanceEntry } from './conformance-entry.ts';
import { startTestService, type TaskAnswer, type TestService } from './service.ts';

/**
 * The facts of an engine that the conformance suite needs. Its routes are those of the model in `conformance-entry.ts`.
 */
export interface EngineHarness extends ContractHarness {
  /** The upstream cannot stop an order that it has begun. */
  readonly cancelsOnlyWaiting?: boolean;
  /** Files come inside the answer, so there is no address that could be gone, broken or somewhere else. */
  readonly insideAnswer?: boolean;
  /** It knows orders by an id of ours, so an order whose answer got lost is looked up. */
  readonly looksUp?: boolean;
  /** Words for the prompt, and how the task must end. */
  readonly ends: Readonly<Record<string, Ending>>;
  /** Fields sent, and what must arrive upstream. */
  readonly inputs: readonly { readonly fields: object; readonly input: object }[];
  /**
   * Bytes of a picture that the upstream takes inside the order, and whether a larger one is uploaded; absent = it
   * takes none.
   */
  readonly references?: { readonly inline: number; readonly uploads: boolean; readonly field: string };
}

export interface Ending {
  readonly status: 'succeeded' | 'failed' | 'canceled';
  readonly code?: string;
  readonly message?: RegExp;
}

/** How an order ends that its upstream stopped by itself, or that somebody stopped at the upstream's own page. */
export const STOPPED: Ending = { status: 'failed', code: 'upstream_error', message: /which nobody had canceled here/ };

/**
 * A service whose only live engine is the one under test, against a fake of its upstream; and the same engine with a
 * wrong key.
 */
export interface ConformanceBench {
  readonly fake: FakeUpstream;
  readonly service: TestService;
  /** Warnings and errors of service and engine. */
  readonly logged: readonly string[];
  readonly clock: Clock & { aheadMs: number };
  open(log: Log, key: string): Engine;
  /** Orders with words for the fake, and waits for the end. `job` is the name that the fake counts by. */
  make(words: string, fields?: object): Promise<{ readonly task: TaskAnswer; readonly job: string }>;
  nextJob(): string;
  /**
   * Waits until the last order was polled more often than so, with a clock that runs ahead, so that no pause is waited
   * out. Returns how often it was polled.
   */
  untilPolls(before: number): Promise<number>;
  close(): Promise<void>;
}

/** Only a call that hangs waits for it; on a busy machine all others must come within. */
const CALL_TIMEOUT_MS = 4000;
const CHECK_EVERY_MS = 40;

export async function openConformanceBench(harness: EngineHarness): Promise<ConformanceBench> {
  const logged: string[] = [];
  const clock = { aheadMs: 0, now: () => systemClock.now() + clock.aheadMs };
  const closers: (() => Promise<void> | void)[] = [];
  const later = { after: (close: () => Promise<void> | void) => void closers.push(close) };
  const fake = await harness.openFake();
  closers.push(() => fake.stop());
  let jobs = 0;

  function open(log: Log, key: string): Engine {
    const { fetch, close } = createTrustedFetch({ allowedAddresses: [], connectTimeoutMs: 30_000 });
    closers.unshift(close);
    const pace = { checkEveryMs: CHECK_EVERY_MS, callTimeoutMs: CALL_TIMEOUT_MS };
    return harness.openEngine(fake, { clock, log, fetch, pictures: inProcessPictures, key, ...pace });
  }

  const log = createLog('warn', { write: (line: string) => void logged.push(line) });
  const wrong = harness.routes.map((route) => ({ ...route, engine: 'wrong-key' }));
  const models = [conformanceEntry('conformance', harness.routes), conformanceEntry('conformance-wrong-key', wrong)];
  const service = await startTestService(later as Parameters<typeof startTestService>[0], {
    env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(later as never, models)).directory },
    service: {
      clock,
      log,
      engines: [open(log, fake.key), { ...open(log, 'WRONG-KEY-0815'), name: 'wrong-key' }],
      // Each order is judged by itself: the troubles of one are not those of the upstream.
      wrapValves: (valves) => Object.assign(valves, { failed: async () => false, away: async () => {} }),
    },
  });
  return {
    fake,
    service,
    logged,
    clock,
    open,
    async make(words, fields = {}) {
      const job = String(++jobs);
      const prompt = `a fox [[job=${job} ${words}]]`;
      const task = await service.make(service.keys.live, '/v1/images', { model_id: 'conformance', prompt, ...fields });
      return { task, job };
    },
    nextJob: () => String(++jobs),
    untilPolls: (before) =>
      until(
        () => {
          clock.aheadMs += 500;
          return fake.counts(String(jobs)).polls;
        },
        (polls) => polls > before,
      ),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** Status, reason and money of a task that came to its end. */
export function assertEnded(task: TaskAnswer, { status, code, message }: Ending, about: string): void {
  assert.equal(task.status, status, `${about}: ${JSON.stringify(task.error ?? task)}`);
  assert.equal(task.error?.code, code, about);
  if (message !== undefined) assert.match(task.error.message, message, about);
  const cost = status === 'succeeded' ? ['charged', '0.01'] : ['released', '0.00'];
  assert.deepEqual([task.cost.state, task.cost.amount], cost, about);
}
