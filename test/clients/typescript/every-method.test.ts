import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { BatchHandle, Darkroom, TaskHandle } from '@darkroom/client';
import { startTestService } from '../../helpers/service.ts';
import { createSwiftEngine } from '../../helpers/swift-engine.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';
import { startReceiver } from '../../helpers/webhook-receiver.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { openFaultProxy } from '../fault-proxy.ts';

/** Every method of the client when the first answer of each of its requests is lost: done once, and answered. */

const service = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  service: { engines: [createSwiftEngine()] },
});
const receiver = await startReceiver(wholeFile);
const directory = await temporaryDirectory('darkroom-every-method-');
const { key: apiKey } = await service.issueKey({ mode: 'test', accountView: true });
const direct = new Darkroom({ baseUrl: service.url, apiKey });
const FOX = { model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K' } as const;
const FILM = { model_id: 'sketch-motion', prompt: 'a boat', duration: 1, resolution: '480p' } as const;
const SLOW = { simulate: { seconds: 3_600 } } as const;
const ORDERS = { orders: [{ operation: 'images', body: FOX }] } as const;
const SLOW_ORDERS = { orders: [{ operation: 'images', body: { ...FOX, ...SLOW } }] } as const;
const [fox, boat, grid] = await Promise.all([
  direct.images.generate({ ...FOX, webhook_url: receiver.url }),
  direct.videos.generate(FILM),
  direct.images.generate({ model_id: 'sketch-grid', prompt: 'a fox' }),
]);
await receiver.count(1);
const [delivery] = (await direct.webhooks.deliveries().page()).items;
const batch = await direct.batches.create(ORDERS);
await batch.wait();
const picture = await fox.content().bytes();
const tests = () => receiver.received.filter(({ body }) => body.includes('webhook.test')).length;
/** Keeps the one slot of a key of its own, so that later orders can be canceled. */
const { key: busyKey } = await service.issueKey({ mode: 'test', concurrency: 1 });
const busy = new Darkroom({ baseUrl: service.url, apiKey: busyKey });
await busy.images.create({ ...FOX, ...SLOW });

interface Case {
  /** What it sends; `through` reaches the service by way of the proxy. */
  readonly run: (through: Darkroom) => Promise<unknown>;
  /** Something that the method changes by one; left out, it changes nothing. */
  readonly count?: () => Promise<number>;
  /** The key of the client. */
  readonly key?: string;
}

const items = async (list: AsyncIterable<unknown>) => (await Array.fromAsync(list)).length;
const tasks = (kind: 'images' | 'videos') => () => items(direct[kind].list({ limit: 100 }));
const canceled = async () => (await Array.fromAsync(busy.images.list({ status: 'canceled' }))).length;
const canceledVideos = async () => (await Array.fromAsync(busy.videos.list({ status: 'canceled' }))).length;
const local = { run: async () => 'sends nothing' };

/** The methods that images and videos share. */
const ofTasks = (kind: 'images' | 'videos'): Record<string, Case> => {
  const order = kind === 'images' ? FOX : FILM;
  const done = () => (kind === 'images' ? fox : boat);
  // The orders of both kinds are of different types.
  const create = async (client: Darkroom, fields: object) =>
    kind === 'images'
      ? await client.images.create({ ...FOX, ...fields })
      : await client.videos.create({ ...FILM, ...fields });
  return {
    create: { run: (client) => create(client, {}), count: tasks(kind) },
    generate: {
      run: (client) => (kind === 'images' ? client.images.generate(FOX) : client.videos.generate(FILM)),
      count: tasks(kind),
    },
    get: { run: (client) => client[kind].get(done().taskId) },
    wait: { run: async (client) => client[kind].wait((await create(direct, {})).taskId) },
    events: { run: async (client) => await items(client[kind].events((await create(direct, {})).taskId)) },
    cancel: {
      key: busyKey,
      run: async (client) => await client[kind].cancel((await create(busy, SLOW)).taskId),
      count: kind === 'images' ? canceled : canceledVideos,
    },
    delete: {
      run: async (client) => {
        const handle = kind === 'images' ? await direct.images.generate(FOX) : await direct.videos.generate(FILM);
        return await client[kind].delete(handle.taskId);
      },
    },
    content: { run: (client) => client[kind].content(done().taskId).bytes() },
    handle: local,
    list: { run: (client) => items(client[kind].list()) },
    // Protected: what `create` and `actions` send.
    place: { run: (client) => create(client, { prompt: `${order.prompt} again` }), count: tasks(kind) },
  };
};

const CASES: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  client: { prices: { run: (client) => client.prices(FOX) } },
  images: ofTasks('images'),
  'images.actions': {
    create: {
      run: (client) => client.images.actions.create({ parent_task_id: grid.taskId, action: 'upscale', index: 1 }),
      count: tasks('images'),
    },
    generate: {
      run: (client) => client.images.actions.generate({ parent_task_id: grid.taskId, action: 'upscale', index: 2 }),
      count: tasks('images'),
    },
  },
  videos: ofTasks('videos'),
  batches: {
    create: { run: (client) => client.batches.create(ORDERS), count: () => items(direct.batches.list()) },
    prices: { run: (client) => client.batches.prices(ORDERS) },
    get: { run: (client) => client.batches.get(batch.batchId) },
    list: { run: (client) => items(client.batches.list()) },
    tasks: { run: (client) => items(client.batches.tasks(batch.batchId)) },
    results: { run: (client) => items(client.batches.results(batch.batchId)) },
    archive: { run: (client) => client.batches.archive(batch.batchId).save(join(directory, 'batch.zip')) },
    events: { run: (client) => items(client.batches.events(batch.batchId)) },
    wait: { run: (client) => client.batches.wait(batch.batchId) },
    cancel: {
      key: busyKey,
      run: async (client) => client.batches.cancel((await busy.batches.create(SLOW_ORDERS)).batchId),
    },
    handle: local,
  },
  models: {
    list: { run: (client) => client.models.list() },
    get: { run: (client) => client.models.get('sketch') },
    catalog: { run: (client) => client.models.catalog() },
  },
  files: {
    upload: {
      run: (client) => client.files.upload(picture),
      count: async () => {
        const counted = service.database.read.builder.selectFrom('files').select('id');
        return (await service.database.read.all(counted)).length;
      },
    },
    get: { run: async (client) => client.files.get((await direct.files.upload(picture)).file_id) },
    delete: { run: async (client) => client.files.delete((await direct.files.upload(picture)).file_id) },
  },
  account: {
    get: { run: (client) => client.account.get() },
    usage: { run: (client) => client.account.usage() },
    requests: { run: (client) => items(client.account.requests()) },
    ledger: { run: (client) => items(client.account.ledger()) },
  },
  webhooks: {
    unwrap: local,
    secrets: { run: (client) => client.webhooks.secrets() },
    rotateSecret: {
      run: async (client) => {
        const [before] = await direct.webhooks.secrets();
        const after = await client.webhooks.rotateSecret();
        // A second rotation would end it at once.
        assert.ok(after.some(({ secret }) => secret === before?.secret));
      },
    },
    url: { run: (client) => client.webhooks.url() },
    setUrl: { run: (client) => client.webhooks.setUrl(receiver.url) },
    test: { run: (client) => client.webhooks.test(receiver.url), count: async () => tests() },
    deliveries: { run: (client) => items(client.webhooks.deliveries()) },
    redeliver: { run: (client) => client.webhooks.redeliver(delivery!.delivery_id) },
  },
  endUsers: {
    get: { run: (client) => client.endUsers.get('ada') },
    list: { run: (client) => items(client.endUsers.list()) },
    setLimits: { run: (client) => client.endUsers.setLimits('ada', { day: '1.00' }) },
    removeLimits: { run: (client) => client.endUsers.removeLimits('ada') },
  },
  clientTokens: { create: { run: (client) => client.clientTokens.create({ end_user: 'ada' }) } },
  shares: {
    create: {
      run: (client) => client.shares.create({ task_id: fox.taskId }),
      count: () => items(direct.shares.list()),
    },
    get: { run: async (client) => client.shares.get((await direct.shares.create({ task_id: fox.taskId })).share_id) },
    list: { run: (client) => items(client.shares.list()) },
    delete: {
      run: async (client) => client.shares.delete((await direct.shares.create({ task_id: fox.taskId })).share_id),
    },
  },
  tags: {
    get: { run: (client) => client.tags.get(fox.taskId) },
    set: { run: (client) => client.tags.set(fox.taskId, ['red']) },
    list: { run: (client) => items(client.tags.list()) },
  },
  TaskHandle: {
    reference: local,
    wait: { run: async (client) => client.images.handle((await direct.images.create(FOX)).task).wait() },
    result: { run: async (client) => client.images.handle((await direct.images.create(FOX)).task).result() },
    events: { run: (client) => items(client.images.handle(fox.task).events()) },
    cancel: {
      key: busyKey,
      run: async (client) => client.images.handle((await busy.images.create({ ...FOX, ...SLOW })).task).cancel(),
      count: canceled,
    },
    refresh: { run: (client) => client.images.handle(fox.task).refresh() },
    delete: { run: async (client) => client.images.handle((await direct.images.generate(FOX)).task).delete() },
    content: { run: (client) => client.images.handle(fox.task).content().bytes() },
    save: { run: (client) => client.images.handle(fox.task).save(join(directory, 'fox.png')) },
  },
  BatchHandle: {
    wait: { run: async (client) => client.batches.handle((await direct.batches.create(ORDERS)).batch).wait() },
    events: { run: (client) => items(client.batches.handle(batch.batch).events()) },
    results: { run: (client) => items(client.batches.handle(batch.batch).results()) },
    archive: { run: (client) => client.batches.handle(batch.batch).archive().save(join(directory, 'other.zip')) },
    tasks: { run: (client) => items(client.batches.handle(batch.batch).tasks()) },
    cancel: {
      key: busyKey,
      run: async (client) => client.batches.handle((await busy.batches.create(SLOW_ORDERS)).batch).cancel(),
    },
    refresh: { run: (client) => client.batches.handle(batch.batch).refresh() },
  },
};

test('every method of the client has a case', () => {
  const found: Record<string, string[]> = {
    client: methodsOf(Darkroom.prototype),
    TaskHandle: methodsOf(TaskHandle.prototype),
    BatchHandle: methodsOf(BatchHandle.prototype),
  };
  for (const [name, part] of Object.entries(direct)) {
    found[name] = methodsOf(Object.getPrototypeOf(part));
    for (const [inner, nested] of Object.entries(part as object))
      if (typeof nested === 'object' && inner !== 'transport')
        found[`${name}.${inner}`] = Object.keys(nested as object);
  }
  const sorted = (lists: Record<string, readonly string[]>) =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list].sort()]));
  assert.deepEqual(
    sorted(found),
    sorted(Object.fromEntries(Object.entries(CASES).map(([name, cases]) => [name, Object.keys(cases)]))),
  );
});

for (const [part, methods] of Object.entries(CASES)) {
  for (const [method, { run, count, key = apiKey }] of Object.entries(methods)) {
    test(`${part}.${method}() survives lost answers${count === undefined ? '' : ' and is done once'}`, async (t) => {
      const proxy = await openFaultProxy(t, service.url);
      const through = new Darkroom({ baseUrl: proxy.url, apiKey: key });
      const lost = new Set<string>();
      proxy.decide = ({ method: verb, path }) => {
        const name = `${verb} ${path.split('?', 1)[0]}`;
        // A stream that was lost is opened again, or followed by polling.
        if (lost.has(name)) return 'pass';
        lost.add(name);
        return 'lose answer';
      };
      const before = await count?.();
      await run(through);
      if (count !== undefined) assert.equal(await count(), before! + 1);
      const posts = Map.groupBy(proxy.sent(/^POST (?!.*\/prices$)/), ({ path }) => path);
      for (const [path, sent] of posts) {
        assert.equal(sent.length, 2, path);
        const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
        assert.ok(keys.size === 1 && !keys.has(undefined), `${path} is sent again with its key`);
      }
    });
  }
}

/** Whatever can be called, inherited or not. */
function methodsOf(prototype: object): string[] {
  const names: string[] = [];
  for (let one = prototype; one !== Object.prototype; one = Object.getPrototypeOf(one) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (name !== 'constructor' && typeof value === 'function') names.push(name);
  }
  return [...new Set(names)];
}
