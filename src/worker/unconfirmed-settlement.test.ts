import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openRunner } from '../../test/helpers/open-runner.ts';
import { plainPicture } from '../../test/helpers/plain-picture.ts';
import { steadyHeartbeat } from '../../test/helpers/steady-heartbeat.ts';
import { outputsOf } from '../record/task-json.ts';

const engine: Partial<Engine> = {
  isBlocking: true,
  async start({ request, taskId }) {
    const data = plainPicture(request.output, taskId);
    return { done: { outputs: [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }] } };
  },
};

/** The commit of a settlement, whose confirmations are lost. @param at whether it was made by then */
for (const at of ['before', 'after'] as const)
  test(`a settlement whose confirmation is lost ${at} its commit is written again and keeps its output`, async (t) => {
    let lost = 0;
    const { order, rowOf, runner, storage } = await openRunner(t, engine, steadyHeartbeat, {
      [at](name: string) {
        if (name !== 'settle_succeeded' || lost++ >= 2) return;
        throw new ServiceError('service_unavailable', 'the commit was not confirmed', { outcomeUnknown: true });
      },
    });
    const id = await order();
    const row = await until(
      () => rowOf(id),
      (found) => found?.step === 'final' && lost > 2 && runner.claimedTasks === 0,
    );
    assert.equal(row?.status, 'succeeded');
    const keys = outputsOf(row).map(({ key }) => key);
    const stored = await Array.fromAsync(storage.list(''), ({ key }) => key);
    assert.deepEqual([stored, keys.length], [keys, 1]);
  });

test('a settlement that is written again removes its output if the task has ended otherwise meanwhile', async (t) => {
  let ended: Promise<unknown> | null = null;
  const { database, order, rowOf, runner, storage } = await openRunner(t, engine, steadyHeartbeat, {
    before(name) {
      if (name !== 'settle_succeeded' || ended !== null) return;
      ended = Promise.resolve().then(() => database.write('other_end', endOtherwise));
      throw new ServiceError('service_unavailable', 'the commit was not confirmed', { outcomeUnknown: true });
    },
  });
  const endOtherwise = (trx: Parameters<Parameters<typeof database.write>[1]>[0]) =>
    trx.run(trx.builder.updateTable('tasks').set({ step: 'final', status: 'failed', claimable: 0 }));
  const id = await order();
  await until(
    () => rowOf(id),
    (found) => found?.step === 'final' && runner.claimedTasks === 0,
  );
  assert.deepEqual(await Array.fromAsync(storage.list(''), ({ key }) => key), []);
});
