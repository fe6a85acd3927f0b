import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartWork } from '@darkroom-service/store';
import { until } from '@darkroom-service/testing';
import { pino } from 'pino';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { ManualClock } from '../../test/helpers/task-services.ts';
import type { Database } from './database.ts';
import { type Claim, claimChore, claimWork, endWork, enterWork, releaseWork, renewWork, requestWork } from './work.ts';
import { startWorkQueue } from './work-queue.ts';

const LEASE_MS = 30_000;
const log = pino({ level: 'silent' });

const enter = (database: Database, now: number, ...subjects: string[]) =>
  database.write('enter', async (trx) => {
    for (const subject of subjects)
      enterWork(trx, { kind: 'webhook', subject, owner: subject.replace(/\d+$/, ''), now });
  });
const claim = (database: Database, limit = 100) =>
  database.write('claim', (trx) => claimWork(trx, { kind: 'webhook', limit, leaseMs: LEASE_MS, except: [] }));
const end = (database: Database, claimed: Claim) => database.write('end', (trx) => endWork(trx, claimed));
const waiting = async ({ read }: Database) =>
  (await read.all(read.builder.selectFrom('work').select('subject').orderBy('subject'))).map(({ subject }) => subject);
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, place) => `${name}${place}`);

forEachDatabase((kind, openTestDatabase) => {
  test('what several processes claim at once is claimed once', async (t) => {
    const clock = new ManualClock();
    const { database, openAnother } = await openTestDatabase(t, { clock });
    const processes = [database, await openAnother({ clock }), await openAnother({ clock })];
    await enter(database, clock.now(), ...numbered('a', 60));
    const claimed: string[] = [];
    for (let before = -1; before < claimed.length; ) {
      before = claimed.length;
      const rounds = await Promise.all(processes.map((one) => claim(one, 7)));
      claimed.push(...rounds.flat().map(({ subject }) => subject));
    }
    assert.deepEqual(claimed.sort(), numbered('a', 60).sort());
  });

  test('work of a process that was killed is taken over once its lease has ended, and the late process changes nothing', async (t) => {
    const clock = new ManualClock();
    const { database, openAnother } = await openTestDatabase(t, { clock });
    const other = await openAnother({ clock });
    await enter(database, clock.now(), 'a1');
    const [late] = await claim(database);
    clock.advance(LEASE_MS - 1);
    assert.deepEqual(await claim(other), []);
    clock.advance(1);
    const [next] = await claim(other);
    assert.equal(next?.subject, 'a1');
    assert.equal(await end(database, late!), false);
    const wish = { inMs: 0, attempts: 5 };
    assert.equal(await database.write('late', (trx) => releaseWork(trx, late!, wish)), false);
    assert.equal(await database.write('late', (trx) => renewWork(trx, late!, LEASE_MS)), false);
    assert.deepEqual(await claim(database), []);
    assert.equal(await end(other, next!), true);
    assert.deepEqual(await waiting(database), []);
  });

  test('work that is entered again has nothing to do with a claim of before', async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const again = { kind: 'webhook', subject: 'a1', owner: 'a', now: clock.now() } as const;
    await enter(database, clock.now(), 'a1');
    const [first] = await claim(database);
    await database.write('again', async (trx) => restartWork(trx, again));
    const [second] = await claim(database);
    assert.equal(await end(database, first!), false);
    assert.equal(await end(database, second!), true);
    await database.write('again', async (trx) => restartWork(trx, again));
    assert.equal(await end(database, second!), false);
    assert.deepEqual(await waiting(database), ['a1']);
  });

  test('a renewal that comes after a release does not delay the next attempt', async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    await enter(database, clock.now(), 'a1');
    const [claimed] = await claim(database);
    const next = { inMs: 100, attempts: 1 };
    assert.equal(await database.write('release', (trx) => releaseWork(trx, claimed!, next)), true);
    assert.equal(await database.write('renew', (trx) => renewWork(trx, claimed!, LEASE_MS)), false);
    assert.deepEqual(await claim(database), []);
    clock.advance(100);
    assert.equal((await claim(database))[0]?.attempts, 1);
  });

  test('work that is asked for while it ends is not lost', async (t) => {
    const clock = new ManualClock();
    const { database, openAnother } = await openTestDatabase(t, { clock });
    const other = await openAnother({ clock });
    const ask = () =>
      other.write('ask', async (trx) => {
        await trx.run(trx.builder.insertInto('secrets').values({ name: `cause ${causes++}`, value: '' }));
        requestWork(trx, { kind: 'alert', subject: 'alr_1', owner: '', now: clock.now() });
      });
    let causes = 0;
    let lost = 0;
    for (let round = 0; round < 20; round++) {
      await ask();
      const [claimed] = await database.write('claim', (trx) =>
        claimWork(trx, { kind: 'alert', limit: 1, leaseMs: LEASE_MS, except: [] }),
      );
      let seen = 0;
      const asked = ask();
      await database.write('end', async (trx) => {
        assert.equal(await renewWork(trx, claimed!, LEASE_MS), true);
        seen = (await trx.all(trx.builder.selectFrom('secrets').select('name').where('name', 'like', 'cause %')))
          .length;
        await endWork(trx, claimed!);
      });
      await asked;
      if (seen < causes && (await waiting(database)).length === 0) lost++;
      await database.write('clear', (trx) => trx.run(trx.builder.deleteFrom('work')));
    }
    assert.equal(lost, 0);
  });

  test('one owner has no more done at once than its share, and keeps nobody waiting', async (t) => {
    const clock = new ManualClock();
    const gate = Promise.withResolvers<void>();
    t.after(async () => {
      gate.resolve();
      await queue.stop();
    });
    const { database } = await openTestDatabase(t, { clock });
    await enter(database, clock.now(), ...numbered('big', 50), 'small0');
    let big = 0;
    const small = Promise.withResolvers<void>();
    const queue = startWorkQueue({
      database,
      log,
      kind: 'webhook',
      concurrency: 8,
      concurrencyPerOwner: 4,
      perform: async (claimed) => {
        if (claimed.owner === 'small') small.resolve();
        else {
          big++;
          await gate.promise;
        }
        await end(database, claimed);
      },
    });
    await small.promise;
    await until(
      () => big,
      (count) => count >= 4,
    );
    assert.equal(big, 4);
    gate.resolve();
    await until(
      () => waiting(database),
      (left) => left.length === 0,
    );
    assert.equal(big, 50);
  });

  test('a stop aborts what is being done, and the next process does it at once', async (t) => {
    const clock = new ManualClock();
    const { database, openAnother } = await openTestDatabase(t, { clock });
    await enter(database, clock.now(), 'a1');
    const begun = Promise.withResolvers<void>();
    const first = startWorkQueue({
      database,
      log,
      kind: 'webhook',
      concurrency: 1,
      perform: (_, signal) => {
        begun.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    await begun.promise;
    await first.stop();
    assert.equal((await claim(await openAnother({ clock })))[0]?.attempts, 0);
  });

  test('a chore is done once an interval, by whichever process is first', async (t) => {
    const clock = new ManualClock();
    const { database, openAnother } = await openTestDatabase(t, { clock });
    const processes = [database, await openAnother({ clock })];
    const turns = async () =>
      (await Promise.all(processes.map((one) => claimChore(one, 'sweep', 1_000)))).filter(Boolean).length;
    assert.equal(await turns(), 1);
    assert.equal(await turns(), 0);
    if (kind === 'sqlite') {
      clock.advance(1_000);
      assert.equal(await turns(), 1);
    }
  });

  test('a chore keeps its rhythm although timers come early or late, and does not make up for missed turns', async (t) => {
    const { database } = await openTestDatabase(t);
    /** Makes the last due time so much earlier, as if the clock had moved on. */
    const advance = (ms: number) =>
      database.write('test', (trx) =>
        trx.run(trx.builder.updateTable('work').set(({ eb }) => ({ due_at: eb('due_at', '-', ms) }))),
      );
    const isTurn = async (ms: number) => {
      await advance(ms);
      return await claimChore(database, 'retention', 60_000);
    };
    assert.equal(await isTurn(0), true);
    for (const ms of [59_700, 60_200, 72_000, 48_000, 60_000]) assert.equal(await isTurn(ms), true, `${ms}`);
    assert.equal(await isTurn(30_000), false);
    assert.equal(await isTurn(600_000), true);
    assert.equal(await isTurn(1_000), false);
  });
});
