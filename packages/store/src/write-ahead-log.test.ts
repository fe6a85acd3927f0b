import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '@darkroom-service/contract';
import fc from 'fast-check';
import type { SchemaPlan } from './migrate.ts';
import { prepare } from './prepared.ts';
import { openSqlite, type SqliteOptions } from './sqlite-database.ts';
import type { Store } from './store.ts';

interface Secrets {
  secrets: { name: string; value: string };
}

const PLAN: SchemaPlan = {
  initial: 'create table secrets (name text not null, value text not null, constraint secrets_pk primary key (name))',
  steps: [{ version: 1, name: 'initial', statements: () => [] }],
  oldest: { version: 1, advice: '' },
  added: [],
};
const insertSecret = prepare<Secrets, { name: string; value: string }, unknown>('insert_secret', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);
/** Fills about a page. */
const VALUE = 'x'.repeat(3_000);

const insert = (database: Store<Secrets>, name: string) =>
  database.write('insert', (trx) => trx.run(insertSecret, { name, value: VALUE }));

async function secretNames({ read }: Store<Secrets>): Promise<string[]> {
  return (await read.all(read.builder.selectFrom('secrets').select('name'))).map((row) => row.name);
}

async function open(path: string, log: SqliteOptions['log']): Promise<Store<Secrets>> {
  return await openSqlite({ path, clock: systemClock, plan: PLAN, ...(log === undefined ? {} : { log }) });
}

/** Creates a directory that is removed when this process exits: one of the databases here is never closed. */
function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'log-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('a power failure at any moment takes nothing away that was told', async () => {
  const directory = makeDirectory();
  let run = 0;
  const anyStep = fc.record({ writes: fc.integer({ min: 0, max: 6 }), turns: fc.integer({ min: 0, max: 6 }) });
  const anySteps = fc.array(anyStep, { minLength: 10, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(anySteps, fc.integer({ min: 1, max: 6 }), async (steps, flushTurns) => {
      const path = join(directory, `${run++}.db`);
      const disk = createDisk(path, flushTurns);
      const database = await open(path, { checkpointPages: 10, flush: disk.flush });
      const pending: Promise<unknown>[] = [];
      let number = 0;
      for (const { writes, turns } of steps) {
        for (let left = writes; left > 0; left--) {
          const name = String(number++);
          pending.push(insert(database, name).then(() => disk.assertHas([name])));
        }
        for (let left = turns; left > 0; left--) await turn();
        pending.push(secretNames(database).then((names) => disk.assertHas(names)));
      }
      await Promise.all(pending);
      assert.equal((await secretNames(database)).length, number);
      await database.close();
    }),
    { numRuns: 4 },
  );
});

/** A disk that keeps of a database's files what they held when the last finished flush began. */
function createDisk(path: string, flushTurns: number) {
  let flushes = 0;
  let kept: { readonly copy: string; names: ReadonlySet<unknown> | null } | null = null;
  return {
    async flush() {
      const copy = `${path}-${flushes++}`;
      for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
      for (let left = flushTurns; left > 0; left--) await turn();
      kept = { copy, names: null };
    },
    /** Reads the kept files as a start after a power failure does. */
    assertHas(told: readonly string[]) {
      assert.ok(kept !== null);
      kept.names ??= namesIn(kept.copy);
      for (const name of told) assert.ok(kept.names.has(name), `${name} was told and is not on disk`);
    },
  };
}

function namesIn(path: string): Set<unknown> {
  const database = new DatabaseSync(path);
  const rows = database.prepare('select name from secrets').all();
  database.close();
  return new Set(rows.map(({ name }) => name));
}

test('under a steady load the log is begun anew and does not grow', async (t) => {
  const path = join(makeDirectory(), 'test.db');
  const database = await open(path, { checkpointPages: 100 });
  t.after(() => database.close());
  let written = 0;
  const pages = () => statSync(`${path}-wal`).size / 4_120;
  // Each write is a page at least. On a busy machine the thread that makes checkpoints falls behind for a while.
  while (written < 3_000 || (pages() > written / 2 && written < 30_000)) {
    await Promise.all(Array.from({ length: 10 }, (_, place) => insert(database, String(written + place))));
    written += 10;
  }
  assert.ok(pages() <= written / 2, `the log has ${pages()} pages after more than ${written} were written`);
  assert.equal((await secretNames(database)).length, written);
});

test('what was erased is in no file once nobody reads its earlier version, although nothing else is written', async (t) => {
  const path = join(makeDirectory(), 'test.db');
  const database = await open(path, undefined);
  t.after(() => database.close());
  for (let number = 0; number < 200; number++)
    await database.write('insert', (trx) =>
      trx.run(insertSecret, { name: String(number), value: `lighthouse ${VALUE.repeat(1 + (number % 3))}` }),
    );
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('begin; select count(*) from secrets');
  await database.write('erase', async (trx) => {
    trx.erases('soon');
    return await trx.run(trx.builder.updateTable('secrets').set({ value: '' }).where('name', '<>', '1'));
  });
  await database.write('erase', async (trx) => {
    trx.erases('soon');
    return await trx.run(trx.builder.deleteFrom('secrets').where('name', '=', '1'));
  });
  await sleep(400);
  assert.ok(readFileSync(`${path}-wal`).includes('lighthouse'), 'a reader needs it');
  reader.close();
  while (statSync(`${path}-wal`).size > 0) await sleep(50);
  for (const suffix of ['', '-wal', '-shm']) assert.ok(!readFileSync(path + suffix).includes('lighthouse'), suffix);
  assert.equal((await secretNames(database)).length, 199);
  await insert(database, 'after');
  assert.equal((await secretNames(database)).length, 200);
});

test('a log that a long reader made large becomes small when the reader has gone', async (t) => {
  const path = join(makeDirectory(), 'test.db');
  const database = await open(path, { checkpointPages: 100 });
  t.after(() => database.close());
  await insert(database, 'first');
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('begin; select count(*) from secrets');
  const size = () => statSync(`${path}-wal`).size;
  const limit = 33_554_432;
  for (let number = 0; size() < 1.2 * limit; number += 100)
    await Promise.all(Array.from({ length: 100 }, (_, place) => insert(database, String(number + place))));
  reader.close();
  for (let number = 0; size() > limit; number++) {
    await sleep(100);
    // Any write, such as a heartbeat.
    await insert(database, `later ${number}`);
  }
});

test('a disk that cannot flush ends the process, and the write is not acknowledged', async (t) => {
  let isBroken = false;
  const database = await open(join(makeDirectory(), 'test.db'), {
    flush: async () => {
      if (isBroken) throw new Error('EIO: i/o error, fdatasync');
    },
  });
  const { promise: fatal, resolve } = Promise.withResolvers<Error>();
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.once('uncaughtException', resolve);
  t.after(() => {
    for (const listener of listeners) process.on('uncaughtException', listener);
  });
  let isAcknowledged = false;
  isBroken = true;
  void insert(database, 'lost').then(() => {
    isAcknowledged = true;
  });
  assert.match((await fatal).message, /could not flush/);
  assert.equal(isAcknowledged, false);
});
