import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTask } from '../../../src/orders/create-task.ts';
import type { Shut } from '../../../src/routing/valve.ts';
import { createChecks } from '../../../src/service/operations/checks.ts';
import { reportToOperator } from '../../../src/tasks/report-to-operator.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { findConditions } from './find-conditions.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ENGINES = ['fal', 'kling', 'luma', 'runway', 'sketch'];
const LIMITS = {
  waitingMs: 15 * MINUTE,
  balances: { runway: 500 },
};

forEachDatabase((kind) => {
  test('each condition is found from its limit on, for live orders only, and is gone when its reason is', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    const [live, rehearsal] = [await insertKey(services), await insertKey(services, { mode: 'test' })];
    const settings = { ...services.settings, softDeadlineMs: 10 * MINUTE, hardDeadlineMs: 6 * 60 * MINUTE };
    const checks = createChecks({ ...services, settings }, new Map(), null);
    const found = async () =>
      (await findConditions({ ...kernelOf(services), checks }, clock.now(), { ...LIMITS, engineNames: ENGINES }))
        .flatMap((sight) => ('found' in sight ? sight.found : assert.fail(sight.reason)))
        .map((one) => `${one.kind} ${one.subject}`)
        .sort();
    const order = async (key: typeof live) => {
      const body = { model_id: 'sketch', prompt: 'a fox' };
      const wish = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
      return (await createTask(services, key, wish)).task.task_id;
    };
    const change = (work: Parameters<typeof database.write<unknown>>[1]) => database.write('test', work);

    const left = (amount: string) =>
      change(async (trx) => {
        await trx.run(trx.builder.deleteFrom('instances'));
        const row = {
          engine: 'runway',
          worker: '',
          amount,
          unit: 'credits',
          told_at: clock.now(),
          asked_at: clock.now(),
          error: null,
        };
        await trx.run(trx.builder.insertInto('instances').values(row));
      });
    await left('499.99');
    assert.deepEqual(await found(), ['upstream_balance_low runway']);
    await left('500');
    assert.deepEqual(await found(), []);

    const orders = [await order(live), await order(rehearsal)];
    clock.advance(15 * MINUTE);
    assert.deepEqual(await found(), []);
    clock.advance(1);
    assert.deepEqual(await found(), ['oldest_waiting sketch']);
    await change((trx) => trx.run(trx.builder.updateTable('tasks').set({ step: 'final', next_at: null } as never)));
    assert.deepEqual(await found(), []);

    await change(async (trx) => {
      for (const taskId of orders)
        await reportToOperator(services, trx, { taskId, kind: 'outcome_unknown', detail: {} });
    });
    assert.deepEqual(await found(), ['unknown_outcomes sketch']);
    await change((trx) => trx.run(trx.builder.updateTable('reconciliation').set({ resolved_at: clock.now() })));
    assert.deepEqual(await found(), []);

    const since = clock.now();
    await change(async (trx) => {
      const shut = async (subject: string, fault: Shut['fault'], kind: Shut['kind'] = 'outage') => {
        const row = {
          subject,
          kind,
          fault,
          call: 'start',
          message: 'no',
          times: 1,
          since,
          retry_at: since + DAY,
        } as const;
        await trx.run(trx.builder.insertInto('valves').values(row));
      };
      await shut('fal', 'auth');
      await shut('kling', 'billing');
      await shut('luma', 'upstream');
      await shut('runway', 'rate_limited', 'pause');
      await shut('removed', 'auth');
      // Normal operation: an image server offers no videos.
      await shut('fal/vid_gen', 'upstream', 'not_loaded');
    });
    assert.deepEqual(await found(), ['circuit_open fal', 'upstream_credit kling']);
    clock.advance(2 * MINUTE);
    assert.deepEqual(await found(), ['circuit_open fal', 'circuit_open luma', 'upstream_credit kling']);
    await change((trx) => trx.run(trx.builder.deleteFrom('valves')));
    assert.deepEqual(await found(), []);

    const cost = (id: string, engine: string, charged: number, expected: number | null, outcome = 'succeeded') =>
      change((trx) =>
        trx.run(
          trx.builder.insertInto('task_costs').values({
            task_id: id,
            account_id: live.account.id,
            model_id: 'sketch',
            engine,
            upstream_model: '',
            outcome: outcome as 'succeeded',
            charged,
            expected,
            told: null,
            told_units: null,
            settled_at: clock.now(),
          }),
        ),
      );
    await cost('img_1', 'fal', 50_000, 40_000);
    await cost('img_2', 'fal', 0, 10_000);
    await cost('img_5', 'fal', 0, 40_000, 'unknown');
    await cost('img_6', 'fal', 900_000, null);
    assert.deepEqual(await found(), []);
    await cost('img_3', 'fal', 0, 1);
    await cost('img_4', 'kling', 1, 0);
    assert.deepEqual(await found(), ['margin_below_zero fal']);
    clock.advance(DAY + 1);
    assert.deepEqual(await found(), []);
  });
});
