import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type JsonValue, systemClock } from '@darkroom-service/contract';
import { createTrustedFetch } from '@darkroom-service/media';
import { until } from '@darkroom-service/testing';
import { type FakeComfy, openFakeComfy } from '../../fakes/comfyui.ts';
import { validateGraph } from '../../fakes/comfyui-nodes.ts';
import { silentLog } from '../../fakes/in-process-pictures.ts';
import type { CallContext, Engine, Order } from '../engine.ts';
import { uuidOf } from '../upstream/task-numbers.ts';
import { createComfyEngine } from './comfyui-engine.ts';
import { createWorkflows, fillWorkflow, readWorkflow } from './workflows.ts';

const SHIPPED = fileURLToPath(new URL('../../../../catalog/workflows', import.meta.url));
const context = (): CallContext => ({ signal: AbortSignal.timeout(60_000), onProgress: () => {} });

test('every shipped workflow is one that a server takes, with every parameter in its place', async () => {
  const values: Readonly<Record<string, string | number>> = {
    prompt: 'a fox',
    negative_prompt: 'dogs',
    seed: 7,
    width: 832,
    height: 480,
    count: 4,
    frames: 81,
    strength: 0.5,
    image: 'darkroom/a.png',
    mask: 'darkroom/m.png',
  };
  const names = readdirSync(SHIPPED).map((file) => file.replace(/\.json$/, ''));
  assert.ok(names.length >= 5);
  for (const name of names) {
    const workflow = await createWorkflows([SHIPPED]).load(name);
    const input = Object.fromEntries(Object.keys(workflow.parameters).map((key) => [key, values[key] ?? null]));
    const graph = fillWorkflow(workflow, input);
    const judged = validateGraph(graph as never, new Set(['darkroom/a.png', 'darkroom/m.png']));
    assert.deepEqual('nodeErrors' in judged && judged.nodeErrors, {}, name);
    assert.match(JSON.stringify(graph), /"a fox"/);
  }
});

test('an operator’s own workflow wins over a shipped one, and counts at once', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-workflows-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const workflows = createWorkflows([SHIPPED, directory]);
  const shipped = await workflows.load('sdxl-text-to-image');
  const own = { graph: { 1: { class_type: 'Own', inputs: { text: '' } } }, parameters: { prompt: [['1', 'text']] } };
  await writeFile(join(directory, 'sdxl-text-to-image.json'), `\ufeff${JSON.stringify(own)}`);
  const found = await workflows.load('sdxl-text-to-image');
  assert.notDeepEqual(found.graph, shipped.graph);
  assert.deepEqual(fillWorkflow(found, { prompt: '"}] {{' }), { 1: { class_type: 'Own', inputs: { text: '"}] {{' } } });
  assert.throws(() => fillWorkflow(found, { seed: 1 }), /has no parameter seed/);
  await writeFile(join(directory, 'wide.json'), JSON.stringify(own), 'utf16le');
  await assert.rejects(workflows.load('wide'), /the workflow wide: expected a text in UTF-8/);
  await assert.rejects(workflows.load('../../secrets'), /cannot be the name/);
  await assert.rejects(workflows.load('no-such'), /there is no workflow no-such/);
  for (const [text, message] of [
    ['{', /no JSON/],
    ['{}', /no graph/],
    ['{"graph":{"1":{}}}', /no class_type/],
    ['{"graph":{"1":{"class_type":"A","inputs":{}}},"parameters":{"prompt":[["2","text"]]}}', /expected a list of/],
  ] as const)
    assert.throws(() => readWorkflow('own', text), message);
});

test('orders go to the server with the shortest queue, and their files with them', async (t) => {
  const { engine, fakes } = await openPool(t, 2);
  const [first, second] = fakes as [FakeComfy, FakeComfy];
  const started = await engine.start(orderOf('img_1', 'a fox [[run=60000]]'), context());
  const busy = first.jobs.size === 1 ? first : second;
  const idle = busy === first ? second : first;
  assert.deepEqual([busy.jobs.size, idle.jobs.size], [1, 0]);
  assert.ok('operation' in started);
  for (const id of ['img_2', 'img_3', 'img_4']) {
    const media = { field: 'image_urls', index: 0, kind: 'image', contentType: 'image/png', bytes: 4 } as const;
    const open = async () => (await import('node:stream')).Readable.from([Buffer.from('blue')]);
    const picture = { ...media, width: 1, height: 1, durationSeconds: null, url: null, open };
    await engine.start(orderOf(id, `another [[job=${id}]]`, picture), context());
  }
  assert.equal(busy.jobs.size, 1);
  assert.deepEqual([idle.jobs.size, idle.uploads.size, busy.uploads.size], [3, 3, 0]);
});

test('an unreachable server gets no orders, and its orders are not considered lost', async (t) => {
  const { engine, fakes } = await openPool(t, 2);
  const [first, second] = fakes as [FakeComfy, FakeComfy];
  await first.stop();
  await engine.start(orderOf('img_1', 'a fox'), context());
  assert.equal(second.jobs.size, 1);
  assert.ok(await engine.find?.('img_1', orderOf('img_1', 'a fox'), context()));
  await assert.rejects(
    async () => await engine.find?.('img_9', orderOf('img_9', 'a fox'), context()),
    /cannot be reached/,
  );
  const probed = await engine.probe?.(context());
  assert.equal(probed?.ok, true);
  assert.match(String(probed?.message), /1 of 2 servers answer/);
  await first.start();
  assert.equal(await engine.find?.('img_9', orderOf('img_9', 'a fox'), context()), null);
});

test('an order is found again by our own task id, wherever it is', async (t) => {
  const { engine, fakes } = await openPool(t, 3);
  for (const id of ['img_1', 'img_2', 'img_3']) {
    const started = await engine.start(orderOf(id, `a fox [[job=${id}]]`), context());
    const found = await engine.find?.(id, orderOf(id, 'a fox'), context());
    assert.deepEqual(
      (found as { handle: unknown }).handle,
      'operation' in started && (started.operation as { handle: unknown }).handle,
    );
  }
  assert.ok(fakes.flatMap(({ jobs }) => [...jobs.keys()]).includes(uuidOf('img_2')));
});

test('progress comes over the socket of each order, also to a process that took it over', async (t) => {
  const { engine, fakes } = await openPool(t, 1);
  const [fake] = fakes as [FakeComfy];
  const order = orderOf('img_1', 'a fox [[run=6000]]');
  const started = await engine.start(order, context());
  assert.ok('operation' in started);
  const { operation } = started;
  const told = async (by: Engine) => {
    const checked = await by.check(operation, order, context());
    return checked.status === 'pending' ? (checked.progress ?? 0) : -1;
  };
  const early = await until(
    () => told(engine),
    (progress) => progress > 0,
  );
  assert.ok(early < 50);
  assert.deepEqual([...fake.clients], [uuidOf('img_1')]);
  const other = await openEngine(t, fakes);
  await until(
    () => told(other),
    (progress) => progress > early,
  );
});

for (const isOld of [false, true])
  test(`a cancel at ${isOld ? 'an older' : 'a'} server removes a waiting order or interrupts the running one, and no other`, async (t) => {
    const { engine, fakes } = await openPool(t, 1, [SHIPPED], isOld);
    const [fake] = fakes as [FakeComfy];
    const start = async (id: string, words: string) => {
      const order = orderOf(id, `a fox [[job=${id} ${words}]]`);
      const started = await engine.start(order, context());
      assert.ok('operation' in started);
      const { operation } = started;
      const check = () => engine.check(operation, order, { ...context(), cancelRequested: true });
      return { check, cancel: () => engine.cancel?.(operation, order, context()) };
    };
    const waiting = await start('img_1', 'queue=60000');
    const running = await start('img_2', 'run=60000');
    const done = await start('img_3', '');
    await Promise.all([waiting.check(), running.check()]);
    assert.equal(await done.cancel(), false);
    assert.equal(await waiting.cancel(), true);
    assert.deepEqual(fake.interrupts, []);
    assert.equal(await running.cancel(), true);
    // Only an older server is asked first which order runs.
    assert.deepEqual(fake.interrupts, isOld ? [{ prompt_id: uuidOf('img_2') }] : []);
    assert.deepEqual([(await waiting.check()).status, (await running.check()).status], ['canceled', 'canceled']);
    assert.equal((await done.check()).status, 'succeeded');
  });

test('an order that the server accepts only in part is canceled and judged, and no preview is delivered', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-workflows-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  // The preview is made at another size than the picture that is saved.
  const { graph, parameters } = await createWorkflows([SHIPPED]).load('sdxl-text-to-image');
  const nodes = graph as Record<string, { readonly class_type: string; readonly inputs: Record<string, JsonValue> }>;
  const [id = '', save] = Object.entries(nodes).find(([, node]) => node.class_type === 'SaveImage') ?? [];
  const images = save?.inputs.images ?? null;
  const scaled = { image: images, upscale_method: 'area', width: 512, height: 512, crop: 'disabled' };
  const preview = {
    preview: { class_type: 'PreviewImage', inputs: { images } },
    scale: { class_type: 'ImageScale', inputs: scaled },
    [id]: { class_type: 'SaveImage', inputs: { images: ['scale', 0], filename_prefix: 'fox' } },
  };
  const partly = { graph: { ...graph, ...preview }, parameters: { ...parameters, width: [['scale', 'width']] } };
  const crop = { class_type: 'ImageScale', inputs: { ...scaled, crop: 'fox' } };
  const faulty = { ...partly, graph: { ...partly.graph, scale: crop } };
  await writeFile(join(directory, 'partly.json'), JSON.stringify(partly));
  await writeFile(join(directory, 'faulty.json'), JSON.stringify(faulty));
  const { engine, fakes } = await openPool(t, 1, [SHIPPED, directory]);
  const [fake] = fakes as [FakeComfy];
  const orders = [
    orderOf('img_1', 'a fox [[run=9]]', undefined, { model: 'partly', width: 99_999 }),
    orderOf('img_2', 'a hen [[run=9]]', undefined, { model: 'faulty' }),
    orderOf('img_3', 'a cow', undefined, { model: 'faulty' }),
  ] as const;
  const tooWide = { class: 'invalid_input', took: 'no', message: /bigger than max of 16384/ };
  await assert.rejects(engine.start(orders[0], context()), tooWide);
  await assert.rejects(engine.start(orders[1], context()), { class: 'upstream', scope: 'route', took: 'no' });
  assert.ok([...fake.jobs.values()].every(({ canceled }) => canceled));
  // It ran before it could be canceled, and the process ended: the preview is still no result.
  await assert.rejects(engine.start(orders[2], context()));
  const found = await engine.find?.('img_3', orders[2], context());
  const checked = await engine.check(found as JsonValue, orders[2], context());
  assert.deepEqual([checked.status, fake.counts('a cow').downloads], ['failed', 0]);
});

test("a workflow error is the operator's fault, an invalid value is the customer's", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-workflows-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const { graph, parameters } = await createWorkflows([SHIPPED]).load('sdxl-text-to-image');
  const change = (text: string, from: string, to: string) => JSON.parse(text.replace(from, to));
  const text = JSON.stringify({ graph, parameters });
  const files = {
    'no-model': change(text, 'sd_xl_base_1.0.safetensors', 'fox.safetensors'),
    'no-node': change(text, '"KSampler"', '"FoxSampler"'),
  };
  for (const [name, file] of Object.entries(files))
    await writeFile(join(directory, `${name}.json`), JSON.stringify(file));
  const { engine } = await openPool(t, 1, [SHIPPED, directory]);
  const start = (model: string, width?: number) =>
    engine.start(orderOf('img_1', 'a fox', undefined, { model, ...(width === undefined ? {} : { width }) }), context());
  await assert.rejects(start('no-model'), { class: 'upstream', took: 'no', message: /fox\.safetensors/ });
  await assert.rejects(start('no-node'), { class: 'upstream', took: 'no', message: /FoxSampler/ });
  await assert.rejects(start('sdxl-text-to-image', 4), { class: 'invalid_input', took: 'no', message: /smaller than/ });
});

async function openPool(
  t: TestContext,
  servers: number,
  workflowDirectories: readonly string[] = [SHIPPED],
  isOld = false,
): Promise<{ engine: Engine; fakes: FakeComfy[] }> {
  const fakes = await Promise.all(Array.from({ length: servers }, () => openFakeComfy({ isOld })));
  t.after(() => Promise.all(fakes.map((fake) => fake.stop())));
  return { engine: await openEngine(t, fakes, workflowDirectories), fakes };
}

async function openEngine(
  t: TestContext,
  fakes: readonly FakeComfy[],
  workflowDirectories: readonly string[] = [SHIPPED],
): Promise<Engine> {
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [], connectTimeoutMs: 30_000 });
  const engine = createComfyEngine({
    urls: fakes.map(({ url }) => url),
    authorization: `Bearer ${fakes[0]?.key}`,
    workflowDirectories,
    clock: systemClock,
    log: silentLog,
    fetch,
  });
  t.after(async () => {
    await engine.close?.();
    await close();
  });
  return engine;
}

function orderOf(
  taskId: string,
  prompt: string,
  picture?: Order['media'][number],
  changes: { readonly model?: string; readonly width?: number } = {},
): Order {
  const led = picture === undefined ? {} : { image_urls: ['upload:f'] };
  const kind = picture === undefined ? 'text' : 'image';
  const width = changes.width === undefined ? {} : { width: changes.width };
  const output = {
    format: 'png',
    width: 512,
    height: 512,
    durationSeconds: null,
    fps: null,
    audio: false,
    tiles: null,
  };
  return {
    taskId,
    mode: 'live',
    simulate: null,
    testMark: false,
    parent: null,
    media: picture === undefined ? [] : [picture],
    route: {
      engine: 'comfyui',
      model: changes.model ?? `sdxl-${kind}-to-image`,
      parameters: { prompt: 'prompt', image_urls: { to: 'image', take: 'first' }, width: 'width' },
      fixed: {},
    },
    request: {
      modelId: 'local-image',
      type: 'image',
      action: null,
      values: { prompt, ...led },
      derived: width,
      output: output as Order['request']['output'],
      media: picture === undefined ? [] : [{ field: 'image_urls', index: 0, kind: 'image', source: 'upload:f' }],
    },
  };
}
