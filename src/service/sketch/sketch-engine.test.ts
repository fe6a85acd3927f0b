import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { ResolvedRequest } from '@darkroom-service/contract/catalog';
import {
  type Checked,
  type Engine,
  EngineError,
  type Order,
  type OrderMedia,
  type Simulate,
} from '@darkroom-service/engines';
import { PainterFault, type PainterPool, PaintFault, type PaintJob } from '@darkroom-service/illustrator';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { createSketchEngine, type SketchOperation } from './sketch-engine.ts';

const folder = await mkdtemp(join(tmpdir(), 'sketch-'));
wholeFile.after(() => rm(folder, { recursive: true }));

const NOW = 1_800_000_000_000;
let lastTask = 0;

function createOrder(changes: Partial<Order> = {}): Order {
  const request: ResolvedRequest = {
    modelId: 'sketch',
    type: 'image',
    action: null,
    values: { prompt: 'a boat', seed: null },
    derived: {},
    output: { format: 'png', width: 64, height: 64, durationSeconds: null, fps: null, audio: false, tiles: null },
    media: [],
  };
  return {
    taskId: `img_${++lastTask}`,
    mode: 'test',
    request,
    route: { engine: 'sketch', model: null, parameters: null, fixed: {} },
    simulate: null,
    testMark: false,
    media: [],
    parent: null,
    ...changes,
  };
}

function simulated(outcome: Simulate['outcome'], seconds = 0): Order {
  return createOrder({ simulate: { outcome, seconds } });
}

const picture: OrderMedia = {
  field: 'image_urls',
  index: 0,
  kind: 'image',
  contentType: 'image/png',
  bytes: 3,
  width: 1,
  height: 1,
  durationSeconds: null,
  open: async () => Readable.from([Buffer.from('one')]),
  url: null,
};

type Paint = (job: PaintJob, signal: AbortSignal) => Promise<void>;

/** The engine with painters that do what the test says, and a clock that stands still. */
function build(paint: Paint = async () => undefined) {
  const jobs: PaintJob[] = [];
  const pool: PainterPool = {
    size: 1,
    async paint(job, { signal, onProgress }) {
      jobs.push(job);
      onProgress(50);
      await writeFile(job.path, 'a picture');
      await paint(job, signal);
      signal.throwIfAborted();
      return { keep: { scene: job.seed } };
    },
    close: async () => undefined,
  };
  const clock = { time: NOW, now: () => clock.time };
  const engine = createSketchEngine({ pool, temporaryDirectory: folder, clock, concurrency: 4 });
  const progress: number[] = [];
  const context = { signal: new AbortController().signal, onProgress: (value: number) => progress.push(value) };
  return { engine, jobs, clock, progress, context };
}

async function start(engine: Engine, order: Order, context: Parameters<Engine['start']>[1]): Promise<SketchOperation> {
  const started = await engine.start(order, context);
  assert.ok('operation' in started);
  return JSON.parse(JSON.stringify(started.operation)) as SketchOperation;
}

async function run(order: Order, setup = build()): Promise<Checked> {
  return await setup.engine.check(await start(setup.engine, order, setup.context), order, setup.context);
}

async function until(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

describe('the sketch engine', () => {
  it('can start an order again: the same order has the same seed, another order another', async () => {
    const { engine, context } = build();
    const order = createOrder();
    assert.equal(engine.repeatable, true);
    assert.deepEqual(await start(engine, order, context), await start(engine, order, context));
    assert.notEqual((await start(engine, createOrder(), context)).seed, (await start(engine, order, context)).seed);
  });

  it('takes the seed of the request, zero included', async () => {
    const { engine, context } = build();
    const order = createOrder();
    const seeded = (seed: number) => ({ ...order, request: { ...order.request, values: { prompt: 'a boat', seed } } });
    assert.equal((await start(engine, seeded(42), context)).seed, 42);
    assert.equal((await start(engine, seeded(0), context)).seed, 0);
  });

  it('paints in check alone, and hands over a file, its seed and the scene', async () => {
    const setup = build();
    const order = createOrder();
    const operation = await start(setup.engine, order, setup.context);
    assert.equal(setup.jobs.length, 0);
    const checked = await setup.engine.check(operation, order, setup.context);
    assert.ok(checked.status === 'succeeded');
    const [output] = checked.delivery.outputs;
    assert.ok(output !== undefined && 'path' in output.source);
    assert.equal(await readFile(output.source.path, 'utf8'), 'a picture');
    assert.ok(output.source.path.startsWith(folder) && output.source.path.endsWith('.png'));
    assert.deepEqual([output.seed, output.tiles], [operation.seed, null]);
    assert.deepEqual(checked.delivery.keep, { scene: operation.seed });
    assert.deepEqual(setup.progress, [50]);
  });

  it('gives the painter the references as files, and takes them away afterwards', async () => {
    const found: string[] = [];
    const setup = build(async (job) => {
      for (const { path } of job.media) found.push(await readFile(path, 'utf8'));
    });
    await run(createOrder({ media: [picture, { ...picture, index: 1 }] }), setup);
    assert.deepEqual(found, ['one', 'one']);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('media')),
      [],
    );
  });

  it('gives a follow-up action what the parent kept, and its picture', async () => {
    const setup = build();
    const parent = createOrder();
    const order = createOrder({
      parent: { taskId: parent.taskId, request: parent.request, outputs: [picture], keep: { scene: 7 } },
    });
    await run(order, setup);
    const [job] = setup.jobs;
    assert.deepEqual(job?.parent?.keep, { scene: 7 });
    assert.equal(job?.parent?.picture.contentType, 'image/png');
    assert.equal(job?.parent?.seed, (await start(setup.engine, parent, setup.context)).seed);
  });

  for (const [kind, code] of [
    ['invalid_input', 'invalid_input'],
    ['impossible', 'upstream_error'],
    ['time_limit', 'timeout'],
  ] as const) {
    it(`fails as ${code} what the painter calls ${kind}, and leaves no file`, async () => {
      const before = await readdir(folder);
      const setup = build(() => Promise.reject(new PaintFault(kind, 'that is why')));
      assert.deepEqual(await run(createOrder(), setup), { status: 'failed', error: { code, message: 'that is why' } });
      assert.deepEqual(await readdir(folder), before);
    });
  }

  it('says that nothing was taken when a painter dies, or the painters stop', async () => {
    for (const [kind, errorClass] of [
      ['lost', 'upstream'],
      ['stopping', 'busy'],
    ] as const) {
      const setup = build(() => Promise.reject(new PainterFault(kind, 'gone')));
      await assert.rejects(run(createOrder(), setup), (error) => {
        assert.ok(error instanceof EngineError);
        assert.deepEqual([error.class, error.took, error.message], [errorClass, 'no', 'gone']);
        return true;
      });
    }
  });

  it('stops waiting when the service aborts the check, and paints at the next one', async () => {
    const painting = Promise.withResolvers<void>();
    const setup = build((_, signal) => {
      painting.resolve();
      return setup.jobs.length === 1 ? until(signal) : Promise.resolve();
    });
    const order = createOrder();
    const operation = await start(setup.engine, order, setup.context);
    const controller = new AbortController();
    const checking = setup.engine.check(operation, order, { ...setup.context, signal: controller.signal });
    const stopped = assert.rejects(checking, /stopping/);
    await painting.promise;
    controller.abort(new Error('stopping'));
    await stopped;
    assert.equal((await setup.engine.check(operation, order, setup.context)).status, 'succeeded');
  });

  it('stops a painting when asked to', async () => {
    const painting = Promise.withResolvers<void>();
    const setup = build((_, signal) => {
      painting.resolve();
      return until(signal);
    });
    const order = createOrder();
    const operation = await start(setup.engine, order, setup.context);
    const checking = setup.engine.check(operation, order, setup.context);
    await painting.promise;
    void setup.engine.cancel?.(operation, order, setup.context);
    assert.deepEqual(await checking, { status: 'canceled' });
  });
});

describe('simulated orders', () => {
  it('wait without a painter, tell their progress, and succeed', async () => {
    const setup = build();
    const order = simulated('succeeded', 10);
    const operation = await start(setup.engine, order, setup.context);
    let last = -1;
    for (const second of [0, 3, 6, 9.9]) {
      setup.clock.time = NOW + second * 1000;
      const checked = await setup.engine.check(operation, order, setup.context);
      assert.ok(checked.status === 'pending');
      assert.ok(checked.progress! > last || second === 0);
      assert.ok(checked.checkAfterMs! > 0 && checked.checkAfterMs! <= 10_000 - second * 1000);
      last = checked.progress!;
    }
    assert.equal(setup.jobs.length, 0);
    setup.clock.time = NOW + 10_000;
    assert.equal((await setup.engine.check(operation, order, setup.context)).status, 'succeeded');
    assert.ok(setup.progress.every((value) => value >= last));
  });

  for (const outcome of ['content_policy', 'upstream_error', 'timeout', 'outcome_unknown'] as const) {
    it(`fail as ${outcome}, and say that it is simulated`, async () => {
      const checked = await run(simulated(outcome));
      assert.ok(checked.status === 'failed');
      assert.equal(checked.error.code, outcome);
      assert.match(checked.error.message, /^simulated: /);
      assert.equal(checked.lateResult, undefined);
    });
  }

  it('fail only when their time has come', async () => {
    const setup = build();
    const order = simulated('timeout', 3);
    const operation = await start(setup.engine, order, setup.context);
    assert.equal((await setup.engine.check(operation, order, setup.context)).status, 'pending');
    setup.clock.time = NOW + 3000;
    assert.equal((await setup.engine.check(operation, order, setup.context)).status, 'failed');
  });

  it('arrive late: first a time-out, then the result after all', async () => {
    const setup = build();
    const order = simulated('late');
    const operation = await start(setup.engine, order, setup.context);
    const first = await setup.engine.check(operation, order, setup.context);
    assert.ok(first.status === 'failed');
    assert.deepEqual([first.error.code, first.lateResult], ['timeout', true]);
    assert.equal((await setup.engine.check(operation, order, setup.context)).status, 'succeeded');
  });

  it('stay stuck until they are canceled', async () => {
    const setup = build();
    const order = simulated('stuck', 1);
    const operation = await start(setup.engine, order, setup.context);
    setup.clock.time = NOW + 6 * 3600 * 1000;
    assert.equal((await setup.engine.check(operation, order, setup.context)).status, 'pending');
    assert.equal(await setup.engine.cancel?.(operation, order, setup.context), true);
    assert.deepEqual(await setup.engine.check(operation, order, setup.context), { status: 'canceled' });
    assert.equal(setup.jobs.length, 0);
  });

  it('can be canceled while they wait', async () => {
    const setup = build();
    const order = simulated('succeeded', 60);
    const operation = await start(setup.engine, order, setup.context);
    await setup.engine.cancel?.(operation, order, setup.context);
    assert.deepEqual(await setup.engine.check(operation, order, setup.context), { status: 'canceled' });
  });
});
