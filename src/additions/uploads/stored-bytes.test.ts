import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { storedBytesOf } from '../../accounts/stored-bytes.ts';
import { createTurns } from '../../base/turns.ts';
import { claimWork } from '../../database/work.ts';
import { deleteTask } from '../../erasure/delete-task.ts';
import type { OrderingKey } from '../../kernel.ts';
import { createTask } from '../../orders/create-task.ts';
import type { TaskRow } from '../../record/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { Housekeeping } from '../../worker/housekeeping.ts';
import { fetchReferences } from '../references/fetch-references.ts';
import { deleteUpload, takeUpload } from './store-upload.ts';

const LIMIT = 3000;
const SHARE = 2000;
const DAY = 86_400_000;
const PICTURE = { kind: 'image', contentType: 'image/png', width: 8, height: 8 } as const;
const NO_FILM = { durationSeconds: null, fps: null, hasAudio: null };
const turns = { all: createTurns(8), hosts: createTurns(8) };

/** Takes any bytes for a picture; a reference is as long as its address says. */
function withoutMedia(services: TaskServices): TaskServices {
  const probe = (bytes: number) => ({ ...PICTURE, ...NO_FILM, bytes });
  return {
    ...services,
    settings: { ...services.settings, storageLimits: { key: LIMIT, endUser: SHARE } },
    media: { ...services.media, probe: async (path) => probe((await stat(path)).size) },
    references: {
      async collect(source, { key }) {
        const data =
          'data' in source ? source.data : Buffer.alloc('url' in source ? Number(source.url.split('/').at(-1)) : 0);
        const { bytes, sha256 } = await services.storage.put(key, data, { contentType: 'image/png', maxBytes: 1e6 });
        return { ...probe(bytes), key, sha256 };
      },
    },
  };
}

/** The key with a client token of an end user; with null, the key itself. */
function callerOf(key: OrderingKey, endUser: string | null): OrderingKey {
  if (endUser === null) return key;
  const grant = { endUser, models: [], maxPrice: null, createsPerMinute: 0, origins: [], expiresAt: Infinity };
  return { ...key, client: grant };
}

async function order(services: TaskServices, key: OrderingKey, source: string, maxPrice?: string): Promise<void> {
  const body = {
    model_id: 'sketch',
    prompt: 'a fox',
    image_urls: [source],
    ...(maxPrice ? { max_price: maxPrice } : {}),
  };
  const call = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  await createTask(services, key, { ...call, body });
}

const dataUri = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;

async function rowsOf(services: TaskServices, key: OrderingKey): Promise<TaskRow[]> {
  const { read } = services.database;
  return await read.all(read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', key.id).orderBy('id'));
}

/** Sums the bytes that are actually in storage, of a key or of one end user. */
async function bytesInStorage(services: TaskServices, key: OrderingKey, endUser: string | null): Promise<number> {
  const { read } = services.database;
  const { builder } = read;
  const files = await read.all(builder.selectFrom('files').select(['id', 'end_user']).where('api_key_id', '=', key.id));
  const rows = [...files, ...(await rowsOf(services, key))];
  const owned = new Set(rows.filter((row) => endUser === null || row.end_user === endUser).map(({ id }) => id));
  let sum = 0;
  for (const prefix of ['uploads/', 'tasks/'])
    for await (const { key: name, bytes } of services.storage.list(prefix))
      if (owned.has(/(?:img|file)_[0-9a-z]+/.exec(name)?.[0] ?? '')) sum += bytes;
  return sum;
}

type Move = {
  readonly what: 'upload' | 'data' | 'refused' | 'reference' | 'delete file' | 'delete task' | 'wait';
  readonly size: number;
  readonly endUser: string | null;
};

async function act(
  services: TaskServices,
  key: OrderingKey,
  clock: { advance(ms: number): void },
  { what, size, endUser }: Move,
): Promise<void> {
  const caller = callerOf(key, endUser);
  const { read } = services.database;
  if (what === 'upload')
    await takeUpload(kernelOf(services), caller, Readable.from([Buffer.alloc(size)]), {
      maxBytes: 1e6,
      announcedBytes: 0,
      onRead: async () => null,
    });
  if (what === 'data') await order(services, caller, dataUri(size));
  if (what === 'refused') await order(services, caller, dataUri(size), '0.000001');
  if (what === 'reference') {
    await order(services, caller, `https://example.com/${size}`);
    const claimed = await services.database.write('claim', (trx) =>
      claimWork(trx, { kind: 'references', limit: 9, leaseMs: 30_000, except: [] }),
    );
    for (const claim of claimed) {
      const task = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', claim.subject));
      await fetchReferences(kernelOf(services), turns, { claim, task: task! }, new AbortController().signal);
    }
  }
  if (what === 'delete file') {
    const file = await read.first(
      read.builder
        .selectFrom('files')
        .select('id')
        .where('api_key_id', '=', key.id)
        .where('erased_at', 'is', null)
        .limit(1),
    );
    if (file !== undefined) await deleteUpload(kernelOf(services), key, file.id);
  }
  if (what === 'delete task') {
    const task = (await rowsOf(services, key)).find((row) => row.deleted_at === null);
    if (task === undefined) return;
    if (task.step !== 'final') await commitEnding(services, 'end', task, { status: 'canceled' });
    await deleteTask(services, key, 'image', task.id);
  }
  if (what === 'wait') {
    clock.advance(size * DAY * 0.02);
    for (const task of await rowsOf(services, key))
      if (task.step !== 'final') await commitEnding(services, 'end', task, { status: 'canceled' });
    const housekeeping = new Housekeeping(services);
    await housekeeping.runOnce();
    await housekeeping.stop();
  }
}

forEachDatabase((kind) => {
  test('the stored bytes of a key and of each end user are the sums of their files, and never above their limits', async (t) => {
    const { services: real, clock } = await openTestServices(t, kind);
    const services = withoutMedia(real);
    const whats = ['upload', 'data', 'refused', 'reference', 'delete file', 'delete task', 'wait'] as const;
    const move = fc.record({
      what: fc.constantFrom(...whats),
      size: fc.integer({ min: 1, max: 1500 }),
      endUser: fc.constantFrom(null, 'ada', 'bob'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 12 }), async (moves) => {
        const key = await insertKey(services);
        for (const each of moves) {
          await act(services, key, clock, each).catch((error: { code?: string }) => {
            assert.ok(['storage_limit_reached', 'price_exceeded'].includes(error.code ?? ''), String(error));
          });
          for (const [endUser, limit] of [
            [null, LIMIT],
            ['ada', SHARE],
            ['bob', SHARE],
          ] as const) {
            const stored = await storedBytesOf(services.database.read, key.id, endUser);
            assert.equal(stored, await bytesInStorage(services, key, endUser), `${each.what} ${endUser}`);
            assert.ok(stored <= limit, `${each.what} ${endUser}`);
          }
        }
      }),
      { numRuns: rounds(kind === 'sqlite' ? 20 : 5) },
    );
  });
});
