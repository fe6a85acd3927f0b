import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { BUDGETS, type BudgetLimits, createBudgets } from '../../accounts/budgets.ts';
import { createAnonymousTurns } from './anonymous-turns.ts';

const LIMITS = Object.fromEntries(Object.keys(BUDGETS).map((name) => [name, 100])) as unknown as BudgetLimits;

async function answeredPerTurn(headers: Record<string, string>): Promise<number> {
  const takeTurn = createAnonymousTurns(createBudgets({ limits: LIMITS, now: () => 0 }));
  const app = fastify();
  let answered = 0;
  const request = { raw: { destroyed: false }, headers };
  for (let sent = 0; sent < 20; sent++) takeTurn.call(app, request as never, {} as never, () => void answered++);
  await turn();
  const first = answered;
  await turn();
  assert.equal(answered, 2 * first);
  return first;
}

test('one turn of the event loop answers fewer requests whose answers are not compressed', async () => {
  assert.equal(await answeredPerTurn({ 'accept-encoding': 'gzip, br' }), 8);
  assert.equal(await answeredPerTurn({}), 2);
  assert.equal(await answeredPerTurn({ 'accept-encoding': 'identity' }), 2);
});
