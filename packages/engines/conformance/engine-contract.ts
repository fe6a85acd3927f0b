import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonValue, systemClock } from '@darkroom-service/contract';
import type { RouteMap } from '@darkroom-service/contract/catalog';
import { createTrustedFetch } from '@darkroom-service/media';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import { type HarnessTools, inProcessPictures, silentLog } from '../fakes/in-process-pictures.ts';
import { type Checked, type Delivery, type Engine, EngineError, type Order } from '../src/engine.ts';
import { askOfAnswers } from './answer-questions.ts';
import { askOfReading } from './reading-questions.ts';

/** The facts of an engine that its conformance suite needs. */
export interface ContractHarness {
  openFake(): Promise<FakeUpstream>;
  openEngine(fake: FakeUpstream, tools: HarnessTools & { readonly key: string }): Engine;
  /** Routes to test; the first one makes plain pictures from `prompt`, `aspect_ratio` and `seed`. */
  readonly routes: readonly object[];
  /** Whether the engine answers an order with the result. */
  readonly blocking?: boolean;
  /** Complete answers to an order, without a result. Default: those of OpenAI's images API. */
  readonly withoutResult?: readonly object[];
  /** Whether the server is the operator's own: an order that it lost, or may have, is submitted again. */
  readonly isFree?: boolean;
}

/** Timeout in milliseconds; only a call that hangs waits that long. */
const CALL_TIMEOUT_MS = 4_000;
const CHECK_EVERY_MS = 10;
/** Faults of a submission that every fake has: before it is accepted, and after. */
const TROUBLES = ['busy', 'busyfor', 'busyuntil', 'billing', 'invalid', 'away'];
const LOST_ANSWERS = ['reset', 'hang', 'html500', 'html503', 'nojson', 'nohandle', 'empty'];

/**
 * Tests the behaviour required of every engine, against a fake of its upstream and without a service: an order is never
 * reported as not accepted when it was, operations outlive the process, keys stay secret.
 */
export function engineContract(name: string, harness: ContractHarness): void {
  describe(`the contract of ${name}`, { concurrency: true }, () => {
    let fake: FakeUpstream;
    let jobs = 0;
    const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
    before(async () => {
      fake = await harness.openFake();
    });
    after(async () => {
      await fake.stop();
      await close();
    });

    const open = (key = fake.key, through = fetch): Engine =>
      harness.openEngine(fake, {
        clock: systemClock,
        log: silentLog,
        fetch: through,
        pictures: inProcessPictures,
        key,
        checkEveryMs: CHECK_EVERY_MS,
        callTimeoutMs: CALL_TIMEOUT_MS,
      });
    const context = () => ({ signal: AbortSignal.timeout(60_000), onProgress: () => {} });
    const orderOf = (words: string): { readonly order: Order; readonly job: string } => {
      const job = `contract-${++jobs}`;
      return { order: plainOrder(harness.routes[0] ?? {}, `a fox [[job=${job} ${words}]]`, job), job };
    };

    /** Checks with another engine each time, as another process would. */
    async function follow(operation: JsonValue, order: Order, by?: Engine): Promise<Checked> {
      for (;;) {
        const checked = await (by ?? open()).check(operation, order, context());
        if (checked.status !== 'pending') return checked;
        await pause(CHECK_EVERY_MS);
      }
    }

    async function deliver(order: Order): Promise<Delivery> {
      const started = await open().start(order, context());
      if ('done' in started) return started.done;
      const stored = JSON.parse(JSON.stringify(started.operation)) as JsonValue;
      assert.deepEqual(stored, started.operation, 'an operation is plain JSON');
      const checked = await follow(stored, order);
      assert.ok(checked.status === 'succeeded', JSON.stringify(checked));
      return checked.delivery;
    }

    it('delivers one order once, with nothing kept in memory between start and check', async () => {
      const { order, job } = orderOf('queue=1 run=1');
      const { outputs } = await deliver(order);
      assert.equal(outputs.length, 1);
      assert.deepEqual([fake.counts(job).attempts, fake.counts(job).accepted], [1, 1]);
    });

    it('reports an order as not accepted only if its upstream did not accept it', async () => {
      const failed = [...TROUBLES, ...LOST_ANSWERS].map(async (word) => {
        const { order, job } = orderOf(`submit=${word} times=99`);
        const error = await open()
          .start(order, context())
          .then(
            () => null,
            (reason: unknown) => reason,
          );
        const { accepted } = fake.counts(job);
        // The engine may find the order by itself.
        if (error === null) return assert.equal(accepted, 1, word);
        assert.ok(error instanceof EngineError, `${word}: ${error}`);
        assert.ok(error.took !== 'no' || accepted === 0, `${word}: accepted, and reported as not accepted`);
        if (TROUBLES.slice(0, -1).includes(word)) assert.equal(error.took, 'no', word);
      });
      await Promise.all(failed);
    });

    it('reports a wrong key as such, and repeats it nowhere', async () => {
      const { order } = orderOf('');
      await assert.rejects(open('wrong-key-0815').start(order, context()), (error) => {
        assert.ok(error instanceof EngineError);
        assert.deepEqual([error.class, error.took], ['auth', 'no']);
        assert.doesNotMatch(error.message, /0815/);
        return true;
      });
      assert.deepEqual(fake.misplacedKeys, []);
    });

    it('stops when its caller does', async () => {
      const { order } = orderOf('submit=hang');
      const controller = new AbortController();
      const started = open().start(order, { signal: controller.signal, onProgress: () => {} });
      controller.abort(new Error('called off'));
      await assert.rejects(started);
    });

    const asked = {
      name,
      fetch,
      open: (through: typeof fetch) => open(fake.key, through),
      order: (words: string) => orderOf(words).order,
      async ordered(engine: Engine, order: Order) {
        const started = await engine.start(order, context()).catch((error: unknown) => {
          assert.ok(error instanceof EngineError, String(error));
          return error;
        });
        if (started instanceof EngineError) return started;
        if ('done' in started) return null;
        for (;;) {
          const ended = await follow(started.operation, order, engine).catch((error: unknown) => {
            assert.ok(error instanceof EngineError && error.class !== 'invalid_input', String(error));
          });
          if (ended !== undefined) return ended.status === 'failed' ? ended : null;
        }
      },
    };
    askOfAnswers(() => asked, harness);

    if (harness.blocking === true) return;
    askOfReading(() => asked);

    it('throws after a check that went wrong, and knows the order at the next one', async () => {
      for (const word of ['html503', 'nojson', 'busy']) {
        const { order, job } = orderOf(`check=${word} run=1`);
        const started = await open().start(order, context());
        assert.ok('operation' in started);
        const first = await open()
          .check(started.operation, order, context())
          .catch((error: unknown) => error);
        if (first instanceof EngineError) assert.notEqual(first.class, 'invalid_input', word);
        const checked = await follow(started.operation, order);
        assert.equal(checked.status, 'succeeded', word);
        assert.equal(fake.counts(job).accepted, 1);
      }
    });
  });
}

function plainOrder(route: object, prompt: string, taskId: string): Order {
  const { engine, model, parameters, fixed } = { ...EMPTY_ROUTE, ...route };
  return {
    taskId,
    mode: 'live',
    request: {
      modelId: 'contract',
      type: 'image',
      action: null,
      values: { prompt, aspect_ratio: '1:1', seed: 7 },
      derived: { width: 512, height: 512, aspect: 1 },
      output: { format: 'png', width: 512, height: 512, durationSeconds: null, fps: null, audio: false, tiles: null },
      media: [],
    },
    route: { engine, model, parameters, fixed },
    simulate: null,
    testMark: false,
    media: [],
    parent: null,
  };
}

const EMPTY_ROUTE: Order['route'] & { readonly parameters: RouteMap | null } = {
  engine: '',
  model: null,
  parameters: null,
  fixed: {},
};
