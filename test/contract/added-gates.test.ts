import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { ADDITIONS } from '../../src/additions/list.ts';
import { createLog } from '../../src/base/log.ts';
import type { Addition } from '../../src/service/addition.ts';
import type { Kernel } from '../../src/service/kernel/kernel.ts';
import { diagnoseGates } from '../../src/service/orders-at-gates.ts';
import { startService } from '../helpers/additions.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';

/** Each service that paints starts a process for it, which takes longer than its test. */
const QUICK = { engines: [createSwiftEngine()] };
const ORDER = { model_id: 'sketch', prompt: 'a fox' };
const TO_APPROVE = { ...ORDER, approval: 'needed' };

/** An addition at whose gate orders with the field `approval` wait, and the kernel that it has got. */
function approvals(): { readonly addition: Addition; readonly kernel: () => Kernel } {
  let kernel: Kernel | null = null;
  const addition: Addition = {
    name: 'approvals',
    fields: { approval: { type: 'string', maxLength: 20 } },
    gate: { closes: ({ input_json }) => JSON.parse(input_json).approval !== undefined },
    open(opened) {
      kernel = opened;
      return {};
    },
  };
  return { addition, kernel: () => kernel! };
}

test('an order waits at the gate of an addition until that opens it, alone or in a batch, and others pass', async (t) => {
  const { addition, kernel } = approvals();
  const { call, keys, make } = await startTestService(t, {
    service: { ...QUICK, additions: [...ADDITIONS, addition] },
  });
  const open = (id: string) => kernel().store.write('open', (trx) => kernel().gates.open(trx, 'approvals', id));
  const { task_id: id } = (await call(keys.live, 'POST', '/v1/images', TO_APPROVE)).data;
  const orders = [{ name: 'one', operation: 'images', body: TO_APPROVE }];
  const { batch_id: batch } = (await call(keys.live, 'POST', '/v1/batches', { orders })).data;
  assert.equal((await make(keys.live, '/v1/images', ORDER)).status, 'succeeded');
  const { items } = (await call(keys.live, 'GET', `/v1/batches/${batch}/tasks`)).data;
  const held = items[0]?.task_id ?? '';
  for (const each of [id, held]) {
    assert.equal((await call(keys.live, 'GET', `/v1/images/${each}`)).data.status, 'queued');
    const seen = (await call(keys.admin, 'GET', `/admin/v1/tasks/${each}`)).data;
    assert.equal(seen.standing?.sentence, "Waits until the addition 'approvals' lets it pass.");
    await until(
      () => open(each),
      (gate) => gate === 'opened',
    );
    const ended = await until(
      async () => (await call(keys.live, 'GET', `/v1/images/${each}`)).data,
      ({ status }) => status !== 'queued' && status !== 'processing',
    );
    assert.equal(ended.status, 'succeeded');
    assert.equal(await open(each), 'open');
  }
});

test('an order whose addition has gone is not lost: the start and the doctor name it, and it fails at its deadline at no charge', async (t) => {
  const { addition } = approvals();
  const additions = [...ADDITIONS, addition];
  const clock = new ManualClock();
  const quick = { engines: [createSwiftEngine({}, clock)], clock };
  const open = await startTestService(t, { service: { ...quick, additions } });
  const { call, config, database, keys } = open;
  const { task_id: id } = (await call(keys.live, 'POST', '/v1/images', TO_APPROVE)).data;
  await assert.rejects(
    startService({ ...config, port: 0, without: ['approvals'] }, { ...quick, additions, log: createLog('fatal') }),
    new RegExp(`'approvals' cannot be closed now: '${id}' may wait at its gate`),
  );
  assert.equal((await diagnoseGates(database.read, additions)).status, 'ok');
  await open.service.stop({ announce: false });

  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const without = await startService({ ...config, port: 0 }, { ...quick, log });
  t.after(() => without.stop());
  assert.ok(lines.some((line) => line.includes('"addition":"approvals"') && line.includes(id)));
  const { status, found } = await diagnoseGates(database.read, ADDITIONS);
  assert.deepEqual([status, found], ['warning', `orders such as ${id} wait for 'approvals', which is missing`]);
  clock.advance(config.hardDeadlineMs + 60_000);
  const read = database.read.builder.selectFrom('tasks').select(['status', 'charged', 'gates']).where('id', '=', id);
  const row = await until(
    () => database.read.first(read),
    (found) => found?.status === 'failed',
  );
  assert.deepEqual([row?.charged, row?.gates], [0, 0]);
});
