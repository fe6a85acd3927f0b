import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScopeLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import { createIdFactory } from '@darkroom-service/contract';
import { balanceOf, checkpointOf } from '../../src/accounts/ledger.ts';
import { spentNow, type ZoneSubject } from '../../src/accounts/recount-in-zone.ts';
import { scopeDigest } from '../../src/accounts/scope.ts';
import { readSpending } from '../../src/accounts/spending.ts';
import { eraseTask } from '../../src/erasure/erase-task.ts';
import { auditBalances } from '../../src/service/doctor/audit-ledger.ts';
import { auditSpending } from '../../src/service/doctor/audit-spending.ts';
import { auditZones } from '../../src/service/doctor/audit-zones.ts';
import { forEachDatabase } from '../helpers/databases.ts';
import { placeAndEnd, placeOrder } from '../helpers/ended-order.ts';
import { insertKey, openTestServices } from '../helpers/task-services.ts';
import { killAtEachCommit } from './kill-chore.ts';

const HOUR_MS = 3_600_000;
const ZONE = 'America/St_Johns';
const LIMITS = { day: 1_000_000, month: 2_000_000, total: null };
const REPORT = { engine: 'sketch', job: 'job-1', message: 'the upstream quotes the prompt' };

forEachDatabase((kind) => {
  test('recounts in a time zone that are killed at their commits change no sum, and a limit counts all orders at any moment', async (t) => {
    const { services, database, clock, address } = await openTestServices(t, kind);
    const { read } = database;
    const key = await insertKey(services, { mode: 'test', spendLimits: LIMITS });
    const by = { actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) };
    const names = ['ada', 'bob'];
    for (const name of names) await setScopeLimits(database, by, { id: key.id }, name, LIMITS);
    for (const end_user of [...names, ...names, undefined]) {
      await placeOrder(services, key, 'image', {
        model_id: 'sketch',
        prompt: 'a fox',
        ...(end_user === undefined ? {} : { end_user }),
      });
      clock.advance(3 * HOUR_MS);
    }
    const scopes = [null, ...names.map((name) => scopeDigest(key.id, name))];
    const subjects: readonly ZoneSubject[] = scopes.map((scope) => ({ keyId: key.id, scope }));
    const now = clock.now();
    const sums = () =>
      Promise.all(
        subjects.map(async (subject) => {
          const row = await readSpending(read, subject.scope ?? subject.keyId);
          assert.ok(row !== undefined);
          const { day, day_used, month, month_used, total_used } = row;
          const inZone = await spentNow(read, services.hooks, subject, { row, zone: ZONE, now });
          return { day, day_used, month, month_used, total_used, inZone };
        }),
      );
    const before = await sums();
    // The day of UTC has begun since, that of the zone has not.
    assert.ok(before.every(({ inZone }) => inZone.day > 0));
    assert.ok(before[0]!.inZone.day > before[0]!.day_used);
    const chore = { does: 'recount', subjects, zone: ZONE } as const;
    const kills = await killAtEachCommit({ address, now, chore }, async () => {
      assert.deepEqual(await sums(), before);
      assert.deepEqual((await auditZones(read, services.hooks)).faults, []);
      assert.deepEqual((await auditSpending(read, services.hooks, now)).faults, []);
    });
    assert.ok(kills >= 2 * subjects.length, `only ${kills} kills`);
    assert.equal((await auditZones(read, services.hooks)).looked, subjects.length);
  });

  test('a checkpoint that is killed between its portions leaves the balance as it was, and the next process goes on from there', async (t) => {
    const { services, database, clock, address } = await openTestServices(t, kind);
    const { read } = database;
    const key = await insertKey(services);
    for (let made = 0; made < 5; made++) {
      await placeAndEnd(services, key);
      clock.advance(1_000);
    }
    clock.advance(HOUR_MS);
    const accountId = key.account.id;
    const balance = await balanceOf(read, accountId, 'live');
    assert.notEqual(balance, 0);
    let until = 0;
    const chore = { does: 'checkpoint', accountId } as const;
    const kills = await killAtEachCommit({ address, now: clock.now(), chore }, async () => {
      assert.equal(await balanceOf(read, accountId, 'live'), balance);
      assert.deepEqual((await auditBalances(read)).faults, []);
      const checkpoint = await checkpointOf(read, accountId, 'live');
      assert.ok(checkpoint.until >= until);
      until = checkpoint.until;
    });
    assert.ok(kills > 3, `only ${kills} kills`);
    assert.equal((await checkpointOf(read, accountId, 'live')).balance, balance);
  });

  test('an erasure that is killed at its commits has shortened the reports of exactly the orders that are erased, and loses none', async (t) => {
    const { services, database, clock, address } = await openTestServices(t, kind);
    const { read } = database;
    const key = await insertKey(services);
    const [tasks, erased]: [string[], string[]] = [[], []];
    for (let made = 0; made < 4; made++) {
      tasks.push(await placeAndEnd(services, key));
      erased.push(await placeAndEnd(services, key));
    }
    for (const id of erased) await eraseTask(services, id, { deletedAt: null });
    const kept = await placeAndEnd(services, key);
    const all = [...tasks, ...erased, kept];
    // An earlier version did not shorten them.
    await database.write('test', async (trx) => {
      for (const [place, task_id] of all.entries())
        await trx.run(
          trx.builder.insertInto('reconciliation').values({
            id: `rec_${place}`,
            task_id,
            kind: 'outcome_unknown',
            detail_json: JSON.stringify(REPORT),
            created_at: clock.now(),
            resolved_at: null,
            resolution: null,
          }),
        );
    });
    const whole = JSON.stringify(REPORT);
    const short = JSON.stringify({ engine: REPORT.engine, job: REPORT.job });
    const readReports = async () => {
      const rows = await read.all(
        read.builder
          .selectFrom('reconciliation')
          .innerJoin('tasks', 'tasks.id', 'task_id')
          .select(['tasks.id', 'erased_at', 'detail_json']),
      );
      return new Map(rows.map((row) => [row.id, row]));
    };
    const chore = { does: 'erase', tasks, erased } as const;
    const kills = await killAtEachCommit({ address, now: clock.now(), chore }, async () => {
      const reports = await readReports();
      assert.equal(reports.size, all.length);
      for (const id of [...tasks, kept]) {
        const { erased_at, detail_json } = reports.get(id) ?? assert.fail(`the report of ${id} is lost`);
        assert.equal(detail_json, erased_at === null ? whole : short);
      }
      // Those of one unit are shortened at once.
      for (let at = 0; at < erased.length; at += 2)
        assert.equal(reports.get(erased[at]!)?.detail_json, reports.get(erased[at + 1]!)?.detail_json);
    });
    assert.ok(kills >= 2 * tasks.length, `only ${kills} kills`);
    const reports = await readReports();
    for (const id of [...tasks, ...erased]) assert.equal(reports.get(id)?.detail_json, short);
    assert.equal(reports.get(kept)?.detail_json, whole);
  });
});
