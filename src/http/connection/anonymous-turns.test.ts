import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { BUDGETS, type BudgetLimits, Budgets } from '../../accounts/budgets.ts';
import { createAnonymousTurns } from './anonymous-turns.ts';

const LIMITS = Object.fromEntries(Object.keys(BUDGETS).map((name) => [name, 100])) as unknown as BudgetLimits;

/**
 * Sends 20 requests at once.
 * @returns how many are answered after the first turn of the event loop and after the second
 */
async function answeredInTurns(headers: Record<string, string>): Promise<[number, number, () => number]> {
  const takeTurn = createAnonymousTurns(new Budgets({ limits: LIMITS, endUserPercent: 10, now: () => 0 }));
  const app = fastify();
  let answered = 0;
  const request = { raw: { destroyed: false }, headers };
  for (let sent = 0; sent < 20; sent++) takeTurn.call(app, request as never, {} as never, () => void answered++);
  await turn();
  const first = answered;
  await turn();
  return [first, answered, () => answered];
}

test('each turn of the event loop answers a few requests without a key', async () => {
  assert.deepEqual((await answeredInTurns({ 'accept-encoding': 'gzip, br' })).slice(0, 2), [8, 16]);
});

test('requests whose answers are not compressed are answered at a fixed pace', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const headers of [{}, { 'accept-encoding': 'identity' }]) {
    const [first, second, answered] = await answeredInTurns(headers);
    assert.deepEqual([first, second], [1, 1]);
    t.mock.timers.tick(10);
    assert.equal(answered(), 2);
    for (let later = 0; later < 20; later++) t.mock.timers.tick(10);
    assert.equal(answered(), 20);
  }
});

test('one client that sends its requests one after the other has the same pace', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const takeTurn = createAnonymousTurns(new Budgets({ limits: LIMITS, endUserPercent: 10, now: () => 0 }));
  const app = fastify();
  let answered = 0;
  const send = () =>
    takeTurn.call(app, { raw: { destroyed: false }, headers: {} } as never, {} as never, () => void answered++);
  send();
  await turn();
  send();
  await turn();
  assert.equal(answered, 1);
  t.mock.timers.tick(10);
  assert.equal(answered, 2);
});
