import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/databases.ts';
import { insertKey, openTestServices } from '../../../test/task-services.ts';
import { formatMicros } from '../../base/money.ts';
import { createTask } from '../../orders/create-task.ts';
import { HISTORY_SPANS } from '../../wire/words.ts';
import { keepHistory } from './history-keeper.ts';
import { reportHistory } from './history-report.ts';

const MINUTE = 60_000;
const PRICE = 40_000;
const COST = 30_000;
const ENGINES = ['fal', 'kling'];

interface Known {
  readonly engine: string;
  readonly mode: 'live' | 'test';
  readonly end: 'succeeded' | 'failed' | 'content_policy' | 'canceled';
  readonly at: number;
  readonly seconds: number;
}

const anyCourse = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, MINUTE, 7 * MINUTE, 95 * MINUTE),
    engine: fc.constantFrom(...ENGINES),
    mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
    end: fc.constantFrom('succeeded' as const, 'failed' as const, 'content_policy' as const, 'canceled' as const),
    seconds: fc.integer({ min: 1, max: 600 }),
    /** The processes that count after it, at the same time. */
    counted: fc.subarray([0, 1]),
  }),
  { minLength: 1, maxLength: 8 },
);

forEachDatabase((kind) => {
  test('whichever processes count and whenever, each live order is reported once, in the step in which it ended', async (t) => {
    const { services, clock, database, openAnother } = await openTestServices(t, kind);
    const processes = [services, await openAnother()];
    const keys = { live: await insertKey(services), test: await insertKey(services, { mode: 'test' }) };
    const known: Known[] = [];
    await fc.assert(
      fc.asyncProperty(anyCourse, async (course) => {
        for (const { afterMs, counted, ...order } of course) {
          clock.advance(afterMs);
          await placeOrder({ ...order, at: clock.now() });
          await Promise.all(counted.map((process) => keepHistory(processes[process] ?? services)));
        }
        for (const span of HISTORY_SPANS) await judge(span);
      }),
      { numRuns: kind === 'sqlite' ? 15 : 4 },
    );

    async function placeOrder(order: Known): Promise<void> {
      const { engine, mode, end, at, seconds } = order;
      const body = { model_id: 'sketch', prompt: 'a fox' };
      const wish = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
      const { task_id: id } = (await createTask(services, keys[mode], wish)).task;
      known.push(order);
      const status = end === 'content_policy' ? 'failed' : end;
      const error = status === 'failed' ? { code: end === 'failed' ? 'upstream_error' : end, message: 'no' } : null;
      await database.write('test', async (trx) => {
        await trx.run(
          trx.builder
            .updateTable('tasks')
            .set({
              ...{ status, step: 'final', next_at: null, claimable: 0, started_at: at - seconds * 1000 },
              ...{ completed_at: at, error_json: error === null ? null : JSON.stringify(error) },
              route_json: JSON.stringify({ engine }),
            })
            .where('id', '=', id),
        );
        const entry = { account_id: keys[mode].account.id, api_key_id: keys[mode].id, mode, task_id: id };
        await trx.run(
          trx.builder
            .insertInto('ledger')
            .values({ ...entry, kind: 'release', amount: PRICE, created_at: at, note: null }),
        );
        if (mode === 'live' && end === 'succeeded')
          await trx.run(
            trx.builder.insertInto('task_costs').values({
              ...{ task_id: id, account_id: entry.account_id, model_id: 'sketch', engine, upstream_model: '' },
              ...{ outcome: 'succeeded', charged: PRICE, expected: COST, told: null, told_units: null, settled_at: at },
            }),
          );
      });
    }

    async function judge(span: (typeof HISTORY_SPANS)[number]): Promise<void> {
      const report = await reportHistory(database.reports, span, clock.now());
      const since = Date.parse(report.since);
      for (const engine of ENGINES) {
        const points = report.items.find((item) => item.engine === engine)?.points ?? [];
        const ended = known.filter((one) => one.engine === engine && one.mode === 'live');
        const seen = points.reduce((sum, point) => sum + point.succeeded + point.failed + point.refused, 0);
        const counted = ended.filter(({ end }) => end !== 'canceled');
        assert.ok(seen <= counted.length, 'nothing is counted twice');
        assert.ok(seen >= counted.filter(({ at }) => at >= since).length, `${engine}, ${span}`);
        for (const point of points) {
          const from = Date.parse(point.at);
          if (from < since) continue;
          const own = ended.filter(({ at }) => at >= from && at < from + report.step_seconds * 1000);
          const count = (end: Known['end']) => own.filter((one) => one.end === end).length;
          const succeeded = count('succeeded');
          assert.deepEqual(
            [point.succeeded, point.failed, point.refused, point.revenue, point.margin],
            [
              ...[succeeded, count('failed'), count('content_policy')],
              ...[formatMicros(succeeded * PRICE), formatMicros(succeeded * (PRICE - COST))],
            ],
            `${engine} from ${point.at}, ${span}`,
          );
          const seconds = own.flatMap((one) => (one.end === 'succeeded' ? [one.seconds] : [])).sort((a, b) => a - b);
          const median = seconds[Math.ceil(seconds.length / 2) - 1];
          if (median === undefined) assert.equal(point.p50_seconds, null);
          else assert.ok(Math.abs((point.p50_seconds ?? 0) / median - 1) < 0.11, `${point.p50_seconds} of ${median}`);
        }
      }
    }
  });
});
