import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Engine } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import { until } from '@darkroom-service/testing';
import { alertBelow } from '../helpers/alert-below.ts';
import { anyTable } from '../helpers/any-table.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { plainPicture } from '../helpers/plain-picture.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'painted', routes: [{ engine: 'painter' }] }),
]);

test('while the storage is away its alert and metric say so, and so does each order; all end with the outage', async (t) => {
  const clock = new ManualClock();
  let isAway = false;
  const refuse = () => {
    if (isAway) throw new StorageError('unavailable', 'the bucket does not answer');
  };
  const { call, keys, url, config } = await startTestService(t, {
    ...alertBelow(0),
    service: {
      clock,
      wrapStorage: (storage) => ({
        ...storage,
        async check() {
          refuse();
          await storage.check();
        },
        async put(key, source, options) {
          refuse();
          return await storage.put(key, source, options);
        },
      }),
      tempo: { addedEveryMs: 10, readinessFreshMs: 0, lease: { ms: 3_600_000, renewEveryMs: 5_000 } },
    },
  });
  const alerts = async (state: string) =>
    (await call(keys.admin, 'GET', `/admin/v1/alerts?state=${state}`)).data.items.filter(
      ({ kind }) => kind === 'storage_unavailable',
    );
  const metric = async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${keys.admin}` } });
    return /^darkroom_storage_up (\d)$/m.exec(await answer.text())?.[1];
  };
  /** Each report is a look at the storage. */
  const lookUntil = async <T>(read: () => Promise<T>, isReached: (found: T) => boolean) =>
    await until(async () => {
      await call(keys.admin, 'GET', '/readyz');
      clock.advance(10_000);
      return await read();
    }, isReached);
  assert.equal(await metric(), '1');

  isAway = true;
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const { data: task } = await call(keys.test, 'POST', '/v1/images', order);
  const read = async () => (await call(keys.test, 'GET', task.urls.self)).data;
  assert.equal((await lookUntil(read, (found) => found.delayed_by !== undefined)).delayed_by, 'storage');
  const [alert] = await lookUntil(
    () => alerts('open'),
    (found) => found.length > 0,
  );
  assert.equal(alert?.subject, `${hostname()}:${config.filesDirectory}`);
  assert.match(alert?.summary ?? '', /the bucket does not answer/);
  assert.equal(await metric(), '0');

  isAway = false;
  // A delivery that has failed is tried again by the service's clock.
  const { status, delayed_by } = await lookUntil(read, (found) => found.completed_at !== null);
  assert.deepEqual([status, delayed_by], ['succeeded', undefined]);
  await lookUntil(
    () => alerts('ended'),
    (found) => found.length > 0,
  );
  assert.equal(await metric(), '1');
});

test('an order whose answer the disk could not keep waits, and says that it waits for the storage', async (t) => {
  const painter = { ...createSwiftEngine({ name: 'painter', repeatable: false }), isBlocking: true };
  const { call, keys, config, ended } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory },
    service: { engines: [painter], tempo: { readinessFreshMs: 0 } },
  });
  const spool = join(config.dataDirectory, 'spool');
  const look = async () => await call(keys.admin, 'GET', '/readyz');
  await look();
  await rm(spool, { recursive: true });
  // No folder can be made of a file: like a full disk, it refuses what is written.
  await writeFile(spool, '');
  for (let looks = 0; looks < 3; looks++) await look();
  const { data: task } = await call(keys.live, 'POST', '/v1/images', { model_id: 'painted', prompt: 'a fox' });
  const { status, delayed_by } = (await call(keys.live, 'GET', task.urls.self)).data;
  assert.deepEqual([status, delayed_by], ['queued', 'storage']);
  const { data: free } = await call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  assert.equal(free.delayed_by, undefined, 'its answer can be made again');
  await rm(spool);
  await look();
  assert.equal((await ended(keys.live, task)).status, 'succeeded');
});

test('a process without workers of its own says that an order waits for their disks, once none of them can keep it', async (t) => {
  const painter = { ...createSwiftEngine({ name: 'painter', repeatable: false }), isBlocking: true };
  const env = { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_ROLE: 'api' };
  const { call, keys, database } = await startTestService(t, { env, service: { engines: [painter] } });
  const { data: task } = await call(keys.live, 'POST', '/v1/images', { model_id: 'painted', prompt: 'a fox' });
  const delayedBy = async () => (await call(keys.live, 'GET', task.urls.self)).data.delayed_by;
  for (const host of ['attic', 'cellar']) await insertWorker(host);
  const full = await insertAlert('attic');
  await reread();
  assert.equal(await delayedBy(), undefined, 'the cellar can take it');
  await insertAlert('cellar');
  assert.equal(await until(delayedBy, (found) => found !== undefined), 'storage');
  await database.write('test', (trx) =>
    trx.run(anyTable(trx.builder).updateTable('alerts').set({ ended_at: Date.now() }).where('id', '=', full)),
  );
  assert.equal(await until(delayedBy, (found) => found === undefined), undefined);

  /** Waits until the process has looked again. */
  async function reread(): Promise<void> {
    const age = async () => {
      const text = String((await call(keys.admin, 'GET', '/metrics')).body);
      return Number(/^darkroom_refresh_age_seconds\{what="disks of workers"\} ([\d.e-]+)$/m.exec(text)?.[1]);
    };
    const since = performance.now();
    await until(age, (found) => found * 1000 < performance.now() - since);
  }

  async function insertWorker(host: string): Promise<void> {
    const now = Date.now();
    const worker = {
      id: `prc_${host}`,
      role: 'worker',
      host,
      machine: host,
      pid: 7,
      version: '0.1.0',
      lock_path: `/srv/${host}/processes/prc_${host}.lock`,
      beats: 3,
      ended_at: null,
      started_at: now,
      beat_at: now + 600_000,
    };
    await database.write('test', (trx) => trx.run(trx.builder.insertInto('processes').values(worker)));
  }

  async function insertAlert(host: string): Promise<string> {
    const [id, now] = [`alr_${host}`, Date.now()];
    const alert = {
      ...({
        id,
        scope: `disk:${host}:/srv/${host}`,
        kind: 'spool_unavailable',
        subject: host,
        summary: 'full',
      } as const),
      began_at: now,
      seen_at: now,
      told_at: now,
      ended_at: null,
    };
    await database.write('test', (trx) => trx.run(anyTable(trx.builder).insertInto('alerts').values(alert)));
    return id;
  }
});

test('the metrics say how many answers lie on the disk, and how large they are', async (t) => {
  let isAway = false;
  const picture = plainPicture({ width: 64, height: 64 }, 'a fox');
  const painter: Engine = {
    ...createSwiftEngine({ name: 'painter', repeatable: false }),
    isBlocking: true,
    async start() {
      isAway = true;
      const output = { source: { data: picture }, seed: 1, revisedPrompt: null, tiles: null };
      return { done: { outputs: [output] } };
    },
  };
  const { call, keys, config, ended } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory },
    service: {
      engines: [painter],
      commitHook(moment) {
        if (isAway && moment === 'before') throw new Error('the disk of the database is read-only');
      },
    },
  });
  const damaged = join(config.dataDirectory, 'spool', 'damaged', 'img_1.1.0a1b2c3d');
  await mkdir(damaged, { recursive: true });
  await writeFile(join(damaged, 'answer.json'), 'cut');
  const figures = async () => {
    const text = String((await call(keys.admin, 'GET', '/metrics')).body);
    return Object.fromEntries(
      [...text.matchAll(/^darkroom_spool_(\w+)\{kind="(\w+)"\} (\d+)$/gm)].map(([, name, kind, value]) => [
        `${name} ${kind}`,
        Number(value),
      ]),
    );
  };
  const empty = { 'answers unstored': 0, 'answers late': 0, 'bytes unstored': 0, 'bytes late': 0 };
  assert.deepEqual(await figures(), { ...empty, 'answers damaged': 1, 'bytes damaged': 3 });
  const { data: task } = await call(keys.live, 'POST', '/v1/images', { model_id: 'painted', prompt: 'a fox' });
  const full = await until(figures, (found) => found['answers unstored'] === 1);
  assert.ok(Number(full['bytes unstored']) > picture.byteLength, 'the picture and its record');
  isAway = false;
  assert.equal((await ended(keys.live, task)).status, 'succeeded');
  assert.deepEqual(await until(figures, (found) => found['answers unstored'] === 0), {
    ...empty,
    'answers damaged': 1,
    'bytes damaged': 3,
  });
});

test('an outage of the database is told once it is over', async (t) => {
  const clock = new ManualClock();
  let isAway = false;
  const { call, keys, config } = await startTestService(t, {
    ...alertBelow(0),
    service: {
      clock,
      commitHook(moment) {
        if (isAway && moment === 'before') throw new Error('the disk of the database is read-only');
      },
      tempo: { addedEveryMs: 10, readinessFreshMs: 0, lease: { ms: 3_600_000, renewEveryMs: 5_000 } },
    },
  });
  const look = async () => {
    const { body } = await call(keys.admin, 'GET', '/readyz');
    clock.advance(10_000);
    return JSON.stringify(body).includes('read-only');
  };
  isAway = true;
  for (let looks = 0; looks < 12; looks++) assert.ok(await look());
  isAway = false;
  const [alert] = await until(
    async () => {
      await look();
      const { items } = (await call(keys.admin, 'GET', '/admin/v1/alerts')).data;
      return items.filter(({ kind }) => kind === 'database_unavailable');
    },
    (found) => found.length > 0,
  );
  assert.equal(alert?.subject, `${hostname()}:${config.dataDirectory}`);
  assert.match(alert?.summary ?? '', /did not work .* from .* to .*: the disk of the database is read-only/);
});

test('a hold and a sweep that has stopped are alerts until they end', async (t) => {
  const clock = new ManualClock();
  const { call, keys, database } = await startTestService(t, {
    ...alertBelow(0),
    service: { clock, tempo: { addedEveryMs: 10, lease: { ms: 3_600_000, renewEveryMs: 5_000 } } },
  });
  const reached = (state: string, kinds: string) =>
    until(
      async () => {
        clock.advance(10_000);
        const { items } = (await call(keys.admin, 'GET', `/admin/v1/alerts?state=${state}`)).data;
        return items.map(({ kind }) => kind).sort();
      },
      (found) => found.join() === kinds,
    );
  const note = (sweep_stopped: string | null) =>
    database.write('test', (trx) => trx.run(trx.builder.updateTable('installation').set({ sweep_stopped })));
  await call(keys.admin, 'POST', '/admin/v1/hold');
  await note('400 of 500 files have no row.');
  await reached('open', 'held,sweep_stopped');
  await call(keys.admin, 'DELETE', '/admin/v1/hold');
  await note(null);
  await reached('ended', 'held,sweep_stopped');
});
