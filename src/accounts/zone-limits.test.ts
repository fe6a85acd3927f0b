import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScopeLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import { createIdFactory, ServiceError, windowsIn } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { placeOrder } from '../../test/helpers/ended-order.ts';
import { commitEnding, succeededWith } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { TaskRow } from '../record/task.ts';
import { auditEndUsers } from '../service/doctor/audit-end-users.ts';
import { auditSpending } from '../service/doctor/audit-spending.ts';
import { auditZones } from '../service/doctor/audit-zones.ts';
import { changeLimitsOfKey } from '../tasks/change-limits-of-key.ts';
import type { OrderingKey } from './api-key.ts';
import { findKeyById } from './keyring.ts';
import { spentNow } from './recount-in-zone.ts';
import { scopeDigest } from './scope.ts';
import { readSpending } from './spending.ts';

const PRICE = 5_000;
const HOUR_MS = 3_600_000;
const LIMITS = { day: 3 * PRICE, month: 7 * PRICE };
/** Ahead and behind, with days of 23 and 25 hours, halves of hours, and a day without midnight. */
const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'America/Havana', 'UTC'] as const;
const STARTS = ['2026-10-24T12:00Z', '2027-03-13T20:00Z', '2027-03-27T20:00Z', '2027-12-31T05:00Z'] as const;

const order = fc.record({
  process: fc.nat({ max: 1 }),
  endUser: fc.constantFrom('ada', 'bob', null),
  lateMs: fc.constantFrom(0, 0, 0, 1_000, 2 * HOUR_MS, 25 * HOUR_MS),
  /** A process that has not heard of the limits, or of the latest time zone. */
  knows: fc.constantFrom('all', 'all', 'all', 'no limit', 'the zone before' as const),
});
const zone = fc.constantFrom(...ZONES);
const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('orders' as const),
      orders: fc.array(order, { minLength: 1, maxLength: 5 }),
      settled: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('zone' as const), zone }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('own zone' as const), endUser: fc.constantFrom('ada', 'bob'), zone }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 3 * HOUR_MS, 7 * HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS),
    }),
  },
);

forEachDatabase((kind) => {
  test('an order is placed once, within its limit, where a process with another list of time zones counted a day that began at another hour', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const { read } = services.database;
    const limits = { day: 2 * PRICE, month: null, total: null };
    const key = await insertKey(services, { mode: 'test', spendLimits: limits, timezone: 'Europe/Berlin' });
    const buy = () => placeOrder(services, key, 'image', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
    await buy();
    for (const hours of [-1, 1]) {
      const { day, dayEnd } = windowsIn('Europe/Berlin', clock.now());
      const [zone_day, zone_day_end] = [day + hours * HOUR_MS, dayEnd + hours * HOUR_MS];
      await services.database.write('test', (trx) =>
        trx.run(trx.builder.updateTable('spending').set({ zone_day, zone_day_end }).where('subject', '=', key.id)),
      );
      if (hours < 0) await buy();
      else await assert.rejects(buy(), { code: 'spend_limit_reached' });
      assert.equal((await readSpending(read, key.id))?.zone_day, day);
    }
    assert.deepEqual(await auditZones(read, services.hooks), { looked: 1, faults: [] });
  });

  test('however processes order and settle at once, with late clocks and old limits, across changes of day, clocks and time zone, no window of the zone of a limit exceeds it, and all orders are counted', async (t) => {
    const { services, clock, openAnother } = await openTestServices(t, kind);
    const fleet = [services, await openAnother()] as const;
    const { read } = services.database;
    const by = () => ({ actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STARTS),
        zone,
        fc.array(move, { minLength: 8, maxLength: 30 }),
        async (start, first, moves) => {
          if (Date.parse(start) > clock.now()) clock.advance(Date.parse(start) - clock.now());
          const { id } = await insertKey(services, {
            mode: 'test',
            spendLimits: { ...LIMITS, total: null },
            timezone: first,
          });
          const zones: Record<string, string> = { key: first };
          for (const name of ['ada', 'bob'])
            await setScopeLimits(services.database, by(), { id }, name, { ...LIMITS, timezone: first });
          Object.assign(zones, { ada: first, bob: first });
          let before = first as string;
          const placed: { readonly row: TaskRow; readonly isKnown: boolean; cost: number }[] = [];
          const open = new Set<(typeof placed)[number]>();
          const keyNow = async () => (await findKeyById(read, id)) as unknown as OrderingKey;
          const place = async (
            key: OrderingKey,
            { process, endUser, lateMs, knows }: typeof order extends fc.Arbitrary<infer O> ? O : never,
          ) => {
            const at = fleet[process]!;
            const late = { ...at, clock: { ...at.clock, now: () => clock.now() - lateMs } };
            const none = { day: null, month: null, total: null };
            const own =
              knows === 'no limit'
                ? { ...key, spendLimits: none, limitsEndUsers: false }
                : knows === 'all'
                  ? key
                  : { ...key, timezone: before };
            try {
              const row = await placeOrder(late, own, 'image', {
                model_id: 'sketch',
                prompt: 'a fox',
                resolution: '0.5K',
                ...(endUser === null ? {} : { end_user: endUser }),
              });
              const one = { row, isKnown: knows === 'all', cost: PRICE };
              placed.push(one);
              open.add(one);
            } catch (error) {
              assert.ok(error instanceof ServiceError && /limit_reached$/.test(error.code), String(error));
            }
          };
          const settle = async (one: (typeof placed)[number]) => {
            open.delete(one);
            one.cost = PRICE - 2_000;
            const { row } = one;
            const now = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', row.id));
            assert.ok(await commitEnding(services, 'settle', now!, succeededWith(one.cost, row)));
          };
          // A process can take a key for unlimited only where its limits came later, which makes its row.
          await place(await keyNow(), { process: 0, endUser: null, lateMs: 0, knows: 'all' });
          for (const step of moves) {
            if (step.kind === 'wait') clock.advance(step.ms);
            else if (step.kind === 'zone') {
              before = zones.key!;
              zones.key = step.zone;
              await changeLimitsOfKey(services, by(), id, { timezone: step.zone });
            } else if (step.kind === 'own zone') {
              zones[step.endUser] = step.zone;
              await setScopeLimits(services.database, by(), { id }, step.endUser, { ...LIMITS, timezone: step.zone });
            } else {
              const key = await keyNow();
              const known = step.orders.every(({ knows }) => knows === 'all');
              const spentBefore = placed.length;
              const leaving = [...open].filter((_, index) => step.settled.includes(index));
              await Promise.all([...step.orders.map((one) => place(key, one)), ...leaving.map(settle)]);
              if (!known) continue;
              // What was placed by those who know the limits stayed within them, in each window in which it is dated.
              for (const whose of ['key', 'ada', 'bob'])
                for (const { row } of placed
                  .slice(spentBefore)
                  .filter((one) => whose === 'key' || one.row.end_user === whose)) {
                  const own = windowsIn(zones[whose]!, row.created_at);
                  for (const window of ['day', 'month'] as const) {
                    const sum = placed
                      .filter((one) => whose === 'key' || one.row.end_user === whose)
                      .filter((one) => own[window] <= one.row.created_at && one.row.created_at < own[`${window}End`])
                      .reduce((all, { cost }) => all + cost, 0);
                    assert.ok(sum <= LIMITS[window], `${whose} ${window} of ${zones[whose]}: ${sum}`);
                  }
                }
            }
            for (const whose of ['key', 'ada', 'bob']) {
              const scope = whose === 'key' ? null : scopeDigest(id, whose);
              const row = await readSpending(read, scope ?? id);
              const mine = placed.filter((one) => whose === 'key' || one.row.end_user === whose);
              const now = Math.max(clock.now(), ...mine.map((one) => one.row.created_at));
              const spent = await spentNow(
                read,
                services.hooks,
                { keyId: id, scope },
                { row, zone: zones[whose]!, now },
              );
              const own = windowsIn(zones[whose]!, now);
              for (const window of ['day', 'month'] as const)
                assert.equal(
                  spent[window],
                  mine.filter((one) => one.row.created_at >= own[window]).reduce((all, { cost }) => all + cost, 0),
                  `${whose} ${window} of ${zones[whose]}`,
                );
            }
          }
          for (const { faults } of [
            await auditZones(read, services.hooks),
            await auditSpending(read, services.hooks, clock.now()),
            await auditEndUsers(read, clock.now()),
          ])
            assert.deepEqual(
              faults.filter((fault) =>
                [id, scopeDigest(id, 'ada'), scopeDigest(id, 'bob')].some((name) => fault.includes(name)),
              ),
              [],
            );
        },
      ),
      { numRuns: rounds(kind === 'sqlite' ? 40 : 10) },
    );
  });
});
