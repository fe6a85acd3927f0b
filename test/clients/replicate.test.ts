import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import Replicate, { type Prediction } from 'replicate';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { type Fault, type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { openPython, type Printed, REPLICATE_PACKAGES } from './python.ts';
import { startPythonProgram } from './python-program.ts';

/** Replicate's published clients against the interface in Replicate's form. */

const MODEL = 'darkroom/sketch';
const FOX = { prompt: 'a fox', size: '256x256' };
const CREATION = /^POST .*\/predictions$/;

interface Mount {
  readonly proxy: FaultProxy;
  readonly key: string;
  /** Status of each task, and the kinds of ledger entries. */
  books(): Promise<{ readonly statuses: string[]; readonly kinds: string[] }>;
}

async function openMount(t: TestContext, { films = false } = {}): Promise<Mount> {
  const service = await startTestService(t, { service: films ? {} : { engines: [createSwiftEngine()] } });
  const proxy = await openFaultProxy(t, service.url);
  const { key } = await service.issueKey({ mode: 'test' });
  return {
    proxy,
    key,
    async books() {
      const { items: images } = (await service.call(key, 'GET', '/v1/images?limit=100')).data;
      const { items: videos } = (await service.call(key, 'GET', '/v1/videos?limit=100')).data;
      const { items: entries } = (await service.call(key, 'GET', '/v1/account/ledger?limit=100')).data;
      const statuses = [...images, ...videos].map(({ status }) => status);
      return { statuses, kinds: entries.map(({ kind }) => kind).sort() };
    },
  };
}

const ONE_CHARGE = { statuses: ['succeeded'], kinds: ['charge', 'hold', 'release'] };
const TWO_CHARGES = {
  statuses: ['succeeded', 'succeeded'],
  kinds: ['charge', 'charge', 'hold', 'hold', 'release', 'release'],
};

/** The client for Node. @param isKeyed whether it sends one Idempotency-Key with all tries of a request */
function replicateOf({ proxy, key }: Mount, isKeyed = false): Replicate {
  const keyed: typeof fetch = (url, init = {}) => {
    const headers = init.headers as Record<string, string>;
    if (init.method === 'POST') headers['Idempotency-Key'] ??= crypto.randomUUID();
    return fetch(url, init);
  };
  return new Replicate({ auth: key, baseUrl: `${proxy.url}/replicate/v1`, ...(isKeyed ? { fetch: keyed } : {}) });
}

async function assertPicture(url: unknown): Promise<void> {
  const file = await fetch(String(url));
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/png']);
}

// They wait for most of their time.
describe('replicate for Node', { concurrency: 3 }, () => {
  test('replicate for Node: run answers the image, and one charge', async (t) => {
    const mount = await openMount(t);
    await assertPicture(await replicateOf(mount).run(MODEL, { input: FOX }));
    assert.deepEqual(await mount.books(), ONE_CHARGE);
  });

  test('replicate for Node: an image is edited from bytes', async (t) => {
    const mount = await openMount(t);
    const image = Buffer.from(await smallPicture);
    await assertPicture(await replicateOf(mount).run(MODEL, { input: { ...FOX, image } }));
    assert.deepEqual(await mount.books(), ONE_CHARGE);
  });

  test('replicate for Node: a film is polled until it is made', async (t) => {
    const mount = await openMount(t, { films: true });
    const input = { prompt: 'a fox runs', duration: 1, size: '640x360' };
    const film = await fetch(
      String(await replicateOf(mount).run('darkroom/sketch-motion', { input, wait: { mode: 'poll' } })),
    );
    assert.equal(film.headers.get('content-type'), 'video/mp4');
    assert.ok(mount.proxy.sent(/^GET .*\/predictions\//).length > 0);
    assert.deepEqual(await mount.books(), ONE_CHARGE);
  });

  test('replicate for Node: run goes on polling after its wait', async (t) => {
    const mount = await openMount(t);
    const input = { ...FOX, simulate: { seconds: 3 } };
    await assertPicture(await replicateOf(mount).run(MODEL, { input, wait: { mode: 'block', timeout: 1 } }));
    assert.ok(mount.proxy.sent(/^GET .*\/predictions\//).length > 0);
    assert.deepEqual(await mount.books(), ONE_CHARGE);
  });

  test('replicate for Node: a prediction that is being made is canceled', async (t) => {
    const mount = await openMount(t, { films: true });
    const client = replicateOf(mount);
    const { id } = await client.predictions.create({ model: MODEL, input: { ...FOX, simulate: { seconds: 3_600 } } });
    await client.predictions.cancel(id);
    const ended = await client.wait({ id } as Prediction, { interval: 200 });
    assert.deepEqual([ended.status, (await mount.books()).kinds], ['canceled', ['hold', 'release']]);
  });

  test('replicate for Node: a refusal has its reason and is not sent again', async (t) => {
    const mount = await openMount(t);
    const client = replicateOf(mount);
    await assert.rejects(client.run('darkroom/no-such-model', { input: FOX }), /404.*no-such-model/s);
    await assert.rejects(client.run(MODEL, { input: { ...FOX, prompt: '' } }), /400.*prompt/s);
    assert.equal(mount.proxy.seen.length, 2);
    assert.deepEqual(await mount.books(), { statuses: [], kinds: [] });
  });

  test('replicate for Node: a failed order has its reason, and costs nothing', async (t) => {
    const mount = await openMount(t);
    const input = { ...FOX, simulate: { outcome: 'content_policy' } };
    await assert.rejects(replicateOf(mount).run(MODEL, { input }), /Prediction failed: .*content policy/i);
    assert.deepEqual((await mount.books()).kinds, ['hold', 'release']);
  });

  for (const fault of ['cut before', 'cut within'] as const)
    test(`replicate for Node: ${fault}, and one charge`, async (t) => {
      const mount = await openMount(t);
      mount.proxy.fail(CREATION, fault);
      await assertPicture(await replicateOf(mount).run(MODEL, { input: FOX }));
      assert.deepEqual(await mount.books(), ONE_CHARGE);
    });

  for (const fault of ['lose answer', '502 before', '502 after', 'cut answer'] as const)
    test(`replicate for Node with an Idempotency-Key: ${fault}, and at most one charge`, async (t) => {
      const mount = await openMount(t);
      mount.proxy.fail(CREATION, fault);
      const client = replicateOf(mount, true);
      const call = () => client.run(MODEL, { input: FOX });
      if (fault === 'lose answer') await assertPicture(await call());
      // It does not repeat a creation whose answer has a status.
      else await assert.rejects(call());
      assert.deepEqual(await mount.books(), fault === '502 before' ? { statuses: [], kinds: [] } : ONE_CHARGE);
    });

  test('replicate for Node without a key orders again after an answer that was lost behind the service, as the page says', async (t) => {
    const mount = await openMount(t);
    mount.proxy.fail(CREATION, 'lose answer');
    await assertPicture(await replicateOf(mount).run(MODEL, { input: FOX }));
    assert.deepEqual(await mount.books(), TWO_CHARGES);
  });
});

let program: Promise<ReturnType<typeof startPythonProgram>> | null = null;

const PYTHON_RUN = `
import base64, io
import replicate

def answer(order):
    client = replicate.Client(api_token=order["key"], base_url=order["baseUrl"])
    given = dict(order["input"])
    if order.get("file"):
        given["image"] = io.BytesIO(base64.b64decode(order["file"]))
    try:
        return {"output": client.run(order["model"], input=given, use_file_output=False)}
    except Exception as error:
        return {"error": type(error).__name__ + ": " + str(error)}
`;

async function runInPython({ proxy, key }: Mount, input: object, more: object = {}): Promise<Printed> {
  program ??= openPython(REPLICATE_PACKAGES).then((python) => startPythonProgram(python, PYTHON_RUN));
  return await (await program)({ key, baseUrl: `${proxy.url}/replicate`, model: MODEL, input, ...more });
}

describe('replicate for Python', { concurrency: 3 }, () => {
  test('replicate for Python: run answers the image, and one charge', async (t) => {
    const mount = await openMount(t);
    await assertPicture((await runInPython(mount, FOX)).output);
    assert.deepEqual(await mount.books(), ONE_CHARGE);
  });

  test('replicate for Python: an image is edited from a file', async (t) => {
    const mount = await openMount(t);
    const file = Buffer.from(await smallPicture).toString('base64');
    await assertPicture((await runInPython(mount, FOX, { file })).output);
    assert.deepEqual(await mount.books(), ONE_CHARGE);
  });

  test('replicate for Python: refusals and failures have their reasons, and cost nothing', async (t) => {
    const mount = await openMount(t);
    assert.match((await runInPython(mount, { ...FOX, prompt: '' })).error, /ReplicateError[\s\S]*prompt/);
    const failed = await runInPython(mount, { ...FOX, simulate: { outcome: 'upstream_error' } });
    assert.match(failed.error, /^ModelError: ./);
    assert.deepEqual((await mount.books()).kinds, ['hold', 'release']);
  });

  for (const fault of ['lose answer', '502 after', 'cut answer'] satisfies Fault[])
    test(`replicate for Python: ${fault} is an error, and one charge`, async (t) => {
      const mount = await openMount(t);
      mount.proxy.fail(CREATION, fault);
      assert.ok((await runInPython(mount, FOX)).error);
      assert.deepEqual([await mount.books(), mount.proxy.sent(CREATION).length], [ONE_CHARGE, 1]);
    });
});
