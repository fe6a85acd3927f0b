import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskRow } from '../../src/record/task.ts';
import { openFaultProxy } from '../clients/fault-proxy.ts';
import { type Order, openaiForNode } from '../clients/openai/clients.ts';
import { assertBooks, readTasks } from './books.ts';
import { openPremises, type Premises } from './child-service.ts';

const IMAGES = 4;
/** Every commit on the way of a call, from its orders to the record that its answer was sent. */
const POINTS = ['create_task', 'claim_tasks', 'submitting', 'running', 'settle_succeeded', 'openai_delivery'];
/** A killed process's claims end by themselves. */
const PAST_THE_LEASES_MS = 61_000;
/** Enough for a service to start again, also on a slow machine. */
const TRIES = 20;

async function tasksOf({ database }: Premises, prompt: string): Promise<TaskRow[]> {
  return (await readTasks(database)).filter((task) => JSON.parse(task.input_json).prompt === prompt);
}

test(`killed at every commit of calls for ${IMAGES} images, the service orders all of a call or none, and charges each image once`, async (t) => {
  const premises = await openPremises(t);
  let child = await premises.start();
  const proxy = await openFaultProxy(t, child.url);
  /** One call is recognized by its retry count, the other one by its key. */
  const callsAt = (place: string): { readonly prompt: string; readonly order: Order }[] =>
    [{}, { headers: { 'Idempotency-Key': place } }].map((options, index) => {
      const prompt = `a fox, call ${index} killed ${place}`;
      const body = { model: 'sketch', prompt, size: '256x256', n: IMAGES };
      return { prompt, order: ['images.generate', body, options] };
    });

  for (const name of POINTS) {
    for (const moment of ['before', 'after'] as const) {
      await child.killAt({ name, moment });
      const calls = callsAt(`${moment} ${name}`);
      const answers = Promise.all(
        calls.map(({ order }) => openaiForNode.call(proxy.url, premises.keys.live, order, { maxRetries: TRIES })),
      );
      assert.equal((await child.ended).signal, 'SIGKILL');
      let ordered = 0;
      for (const { prompt } of calls) {
        const { length } = await tasksOf(premises, prompt);
        assert.ok(length === 0 || length === IMAGES, `${length} orders of the call "${prompt}"`);
        ordered += length;
      }
      // The commit may hold both calls, or one of them.
      if (name === 'create_task') assert.equal(ordered > 0, moment === 'after', `${ordered} orders`);
      await assertBooks(premises);

      premises.aheadMs += PAST_THE_LEASES_MS;
      child = await premises.start();
      proxy.target = child.url;
      for (const { value, error } of await answers) {
        assert.equal(error, undefined);
        assert.equal(value.data.length, IMAGES);
      }
      for (const { prompt } of calls) {
        const tasks = await tasksOf(premises, prompt);
        const images = tasks.map(({ status, charged, price }) => [status, charged === price]);
        assert.deepEqual(images, Array(IMAGES).fill(['succeeded', true]), prompt);
      }
    }
  }
  await assertBooks(premises);
});
