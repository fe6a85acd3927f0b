import assert from 'node:assert/strict';

import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyTurns } from './key-turns.ts';

/** Turns whose clock moves by this much with each request, and who began, in order. */
function open(msPerRequest: number) {
  let now = 0;
  const take = createKeyTurns(() => now);
  const begun: string[] = [];
  const request = (key: string, name = key) => {
    const turn = take(key);
    now += msPerRequest;
    if (turn === null) begun.push(name);
    else void turn.then(() => begun.push(name));
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { begun, request, pass };
}

test('of hundreds of requests of one key a few begin in each turn of the event loop, and those of another at once', async () => {
  const { begun, request } = open(1);
  request('customer');
  for (let turn = 0; turn < 256; turn++) request('flood');
  const first = begun.length - 1;
  assert.ok(first >= 16 && first < 64, `expected a few to begin at once, found ${first}`);
  await nextTurn();
  request('customer');
  assert.equal(begun.at(-1), 'customer');
  assert.ok(begun.length < 128, `expected many to wait still, found ${begun.length} begun`);
  for (let turn = 0; turn < 256; turn++) await nextTurn();
  assert.equal(begun.filter((key) => key === 'flood').length, 256, 'and all begin in the end');
});

test('requests that cost little, and those of a key that is alone, are never held back', () => {
  const cheap = open(0.01);
  cheap.request('customer');
  for (let turn = 0; turn < 256; turn++) cheap.request('flood');
  assert.equal(cheap.begun.length, 257);
  const alone = open(1);
  alone.request('customer');
  alone.pass(5_000);
  for (let turn = 0; turn < 256; turn++) alone.request('flood');
  assert.equal(alone.begun.length, 257);
});

test('requests of a key begin in the order in which they came', async () => {
  const { begun, request } = open(1);
  request('customer');
  const numbers = Array.from({ length: 100 }, (_, number) => String(number));
  for (const number of numbers) request('flood', number);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  assert.deepEqual(begun, ['customer', ...numbers]);
});
