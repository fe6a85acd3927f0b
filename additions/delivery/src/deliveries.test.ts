import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { OrderingKey } from '@darkroom-service/darkroom/kernel';
import { createTrustedFetch, type TrustedFetch } from '@darkroom-service/media';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { createVault } from '../../../src/base/vault.ts';
import type { Database } from '../../../src/database/database.ts';
import { claimWork } from '../../../src/database/work.ts';
import { eraseTask } from '../../../src/erasure/erase-task.ts';
import type { StoredOutput } from '../../../src/record/task.ts';
import { deliveryOf } from '../../../src/record/task-json.ts';
import type { TaskServices } from '../../../src/tasks/task-services.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { placeOrder } from '../../../test/helpers/ended-order.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { type DeliveryKernel, deliverOutputs } from './deliver-outputs.ts';
import { setDestination } from './destinations.ts';
import { createTargetReader } from './read-target.ts';
import { redeliver } from './redeliver.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEASE_MS = 30_000;
const LONGEST_PAUSE_MS = 1.1 * HOUR;
const LOOPBACK = ['127.0.0.1/32'];
const NO_URL = 'deliver_to has no URL for this output.';

/** How a bucket answers a PUT. `cut`: it stores the file, and the connection breaks before its 200. */
const WAYS = ['accept', 'refuse', 'full', 'cut', 'drop', 'hang'] as const;
type Way = (typeof WAYS)[number];

/** A bucket that answers each request in the next way; then it accepts. */
async function startBucket(t: TestContext) {
  const stored = new Map<string, string>();
  const ways: Way[] = [];
  const server = createServer(async (request, response) => {
    const way = ways.shift() ?? 'accept';
    if (way === 'hang') return;
    if (way === 'drop') return void request.socket.destroy();
    const body = await text(request);
    if (way === 'refuse') return void response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    if (way === 'full') return void response.writeHead(507).end();
    stored.set(new URL(request.url ?? '', 'http://bucket').pathname, body);
    if (way === 'cut') return void request.socket.destroy();
    response.setHeader('etag', `"${body}"`).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stored, ways };
}

async function openDelivery(t: TestContext, kind: Database['kind']) {
  const { clock, database, ...opened } = await openTestServices(t, kind);
  const bucket = await startBucket(t);
  const vault = createVault(randomBytes(32), null);
  const services: TaskServices = {
    ...opened.services,
    settings: { ...opened.services.settings, vault },
    readDeliverTo: createTargetReader(database.read, vault, LOOPBACK),
  };
  const trusted = createTrustedFetch({ allowedAddresses: LOOPBACK });
  t.after(() => trusted.close());
  // Nobody waits half a minute for a bucket that hangs.
  const fetch: TrustedFetch = (url, options) => trusted.fetch(url, { ...options, timeoutMs: 100 });
  const key = await insertKey(services);
  const { createId } = services;
  /** Returns the service over a database, so that a test can delay or refuse its commits. */
  const kernelOver = (own: Database): DeliveryKernel => {
    const kernel = kernelOf({ ...services, database: own });
    return { ...kernel, files: { ...kernel.files, fetch } };
  };
  const kernel = kernelOver(database);
  const settings = { bucket: 'mine', endpoint: bucket.origin, region: null, path: '{date}/{task_id}-{n}.{ext}' };
  const wanted = { settings, access: ['AKIA', 'secret'] as const, isDefault: false };
  const owner = { account_id: key.account.id, name: 'mine' };
  await setDestination(kernel, { actor: 'test', now: clock.now(), createId }, owner, wanted, vault);
  return { bucket, clock, database, services, kernel, kernelOver, key };
}

/** Orders a picture and settles it, with outputs that say which they are. */
async function settle(services: TaskServices, key: OrderingKey, count: number, deliver_to: object): Promise<string> {
  const order = { model_id: 'sketch', prompt: 'a fox', webhook_url: 'https://example.com/hook', deliver_to };
  const row = await placeOrder(services, key, 'image', order as never);
  const outputs: StoredOutput[] = [];
  for (let n = 1; n <= count; n++) {
    const bytes = Buffer.from(`${row.id} ${n}`);
    const file = `tasks/test/${row.id}-1-${n}.png`;
    await services.storage.put(file, bytes, { contentType: 'image/png', maxBytes: bytes.length });
    outputs.push({
      key: file,
      contentType: 'image/png',
      bytes: bytes.length,
      width: 1,
      height: 1,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      durationSeconds: null,
      fps: null,
      hasAudio: null,
      tiles: null,
      seed: null,
      revisedPrompt: null,
      thumbnailKey: null,
    });
  }
  const charge = { amount: row.price, lines: [] };
  assert.ok(await commitEnding(services, 'settle', row, { status: 'succeeded', outputs, keep: null, charge }));
  return row.id;
}

/** What becomes of the commit that records an attempt. */
type Commit = 'made' | 'killed' | 'after a redelivery';
type Step =
  | { readonly does: 'settle'; readonly outputs: number; readonly urls: number | null; readonly expires: boolean }
  | { readonly does: 'try'; readonly ways: readonly Way[]; readonly commit: Commit }
  | { readonly does: 'redeliver'; readonly task: number }
  | { readonly does: 'wait'; readonly ms: number };

const count = fc.integer({ min: 1, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('settle' as const),
    outputs: count,
    urls: fc.option(count),
    expires: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('try' as const),
      ways: fc.array(fc.constantFrom(...WAYS), { maxLength: 3, size: 'max' }),
      commit: fc.constantFrom<Commit[]>('made', 'made', 'killed', 'after a redelivery'),
    }),
  },
  fc.record({ does: fc.constant('redeliver' as const), task: fc.nat() }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(2_000, LEASE_MS, HOUR, DAY) }),
);

forEachDatabase((kind) => {
  test('whatever buckets, kills and redeliveries do, each output is delivered under one name or told as failed, once each time', {
    timeout: 300_000,
  }, async (t) => {
    const { bucket, clock, database, services, kernel, kernelOver, key } = await openDelivery(t, kind);
    const { read } = database;
    const readTask = async (id: string) => {
      const row = await read.first(
        read.builder.selectFrom('tasks').select(['deliver_json', 'expires_at']).where('id', '=', id),
      );
      return { ...row, deliveries: deliveryOf({ deliver_json: row?.deliver_json ?? null })?.deliveries ?? [] };
    };
    const openWork = async () =>
      (await read.all(read.builder.selectFrom('work').select('subject').where('kind', '=', 'delivery'))).map(
        ({ subject }) => subject,
      );

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14, size: 'max' }), async (steps) => {
        bucket.stored.clear();
        /** When the deliveries of each task began, how often, and when its URLs end. */
        const tasks = new Map<string, { since: number; begun: number; readonly until: number }>();
        const again = async (id: string) => {
          await redeliver(kernel, key, { type: 'image', taskId: id }, { within: async () => {} } as never);
          tasks.set(id, { ...tasks.get(id)!, since: clock.now(), begun: tasks.get(id)!.begun + 1 });
        };
        const tryOne = async (ways: readonly Way[], commit: Commit) => {
          const claimed = { kind: 'delivery', limit: 1, leaseMs: LEASE_MS, except: [] } as const;
          for (const claim of await database.write('claim', (trx) => claimWork(trx, claimed))) {
            bucket.ways.splice(0, Infinity, ...ways);
            const late: Database = Object.assign(Object.create(database), {
              async write(name: string, work: never, options: never) {
                if (commit === 'killed') throw new Error('killed');
                if (commit === 'after a redelivery') await again(claim.subject);
                return await database.write(name, work, options);
              },
            });
            await deliverOutputs(kernelOver(late), claim, new AbortController().signal).catch((error) => {
              assert.deepEqual([error.message, commit], ['killed', 'killed']);
            });
            bucket.ways.length = 0;
            if (commit !== 'after a redelivery') continue;
            const { deliveries } = await readTask(claim.subject);
            assert.ok(deliveries.every(({ attempts, state }) => attempts === 0 && state !== 'delivered'));
          }
        };
        const check = async () => {
          const open = await openWork();
          for (const [id, { since, until }] of tasks) {
            const { deliveries, expires_at: expiresAt = 0 } = await readTask(id);
            for (const { output, state, reason, etag, key: name, url } of deliveries) {
              const where = `${id} ${output}`;
              const path = name === null ? url && new URL(url).pathname : `/mine/${name}`;
              if (state === 'pending') assert.ok(open.includes(id) && expiresAt > since + DAY, `${where} is lost`);
              if (state === 'delivered')
                assert.deepEqual([bucket.stored.get(path ?? ''), etag], [where, `"${where}"`], 'it is there');
              if (state === 'failed') assert.notEqual(reason, null, where);
              if (state === 'failed' && reason !== NO_URL)
                assert.ok(clock.now() + LONGEST_PAUSE_MS >= Math.min(since + DAY, until), `${where}: ${reason}`);
            }
          }
          const contents = [...bucket.stored.values()];
          assert.equal(new Set(contents).size, contents.length, 'nothing lies under two names');
        };

        for (const one of steps) {
          if (one.does === 'wait') clock.advance(one.ms);
          else if (one.does === 'try') await tryOne(one.ways, one.commit);
          else if (one.does === 'redeliver') {
            const id = [...tasks.keys()][one.task % Math.max(1, tasks.size)];
            if (id !== undefined) await again(id);
          } else {
            const from = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
            const query = one.expires ? `?X-Amz-Date=${from}&X-Amz-Expires=7200` : '?signature=x';
            const urls = Array.from({ length: one.urls ?? 0 }, () => `${bucket.origin}/${randomUUID()}${query}`);
            const until = one.urls !== null && one.expires ? clock.now() + 2 * HOUR : Number.POSITIVE_INFINITY;
            const id = await settle(services, key, one.outputs, one.urls === null ? { destination: 'mine' } : { urls });
            tasks.set(id, { since: clock.now(), begun: 1, until });
          }
          await check();
        }
        const end = async () => {
          for (let round = 0; (await openWork()).length > 0; round++) {
            assert.ok(round < 100, 'deliveries end');
            clock.advance(1.2 * HOUR);
            await tryOne([], 'made');
            await check();
          }
        };
        await end();
        clock.advance(DAY);
        for (const id of tasks.keys()) await again(id);
        await end();
        for (const [id, { begun }] of tasks) {
          const { deliveries } = await readTask(id);
          const states = deliveries.map(({ state }) => state);
          assert.ok(states.length > 0 && !states.includes('pending'));
          const told = await read.all(
            read.builder
              .selectFrom('webhook_deliveries')
              .select('type')
              .where('task_id', '=', id)
              .where('type', 'in', ['task.delivered', 'task.delivery_failed'])
              .orderBy('id'),
          );
          assert.ok(told.length > 0 && told.length <= begun, `${id} is told ${told.length} of ${begun} times`);
          assert.equal(told.at(-1)?.type, states.includes('failed') ? 'task.delivery_failed' : 'task.delivered');
        }
      }),
      { numRuns: rounds(kind === 'sqlite' ? 60 : 20) },
    );
  });

  test('a task that is erased while its outputs are being delivered leaves no work, and nobody is told', async (t) => {
    const { database, services, kernelOver, key } = await openDelivery(t, kind);
    const id = await settle(services, key, 1, { destination: 'mine' });
    const claims = { kind: 'delivery', limit: 2, leaseMs: LEASE_MS, except: [] } as const;
    const [claim] = await database.write('claim', (trx) => claimWork(trx, claims));
    assert.ok(claim !== undefined);
    const late: Database = Object.assign(Object.create(database), {
      async write(name: string, work: never) {
        await eraseTask(services, id, { deletedAt: 1 });
        return await database.write(name, work);
      },
    });
    await deliverOutputs(kernelOver(late), claim, new AbortController().signal);
    const { read } = database;
    const row = await read.first(read.builder.selectFrom('tasks').select('deliver_json').where('id', '=', id));
    const work = await read.all(read.builder.selectFrom('work').select('subject').where('kind', '=', 'delivery'));
    const told = await read.all(read.builder.selectFrom('webhook_deliveries').select('type').where('task_id', '=', id));
    assert.deepEqual([row, work, told], [{ deliver_json: null }, [], []]);
  });
});
