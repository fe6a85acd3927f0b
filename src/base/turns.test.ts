import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

const patient = new AbortController().signal;

test('at most the limit run under one name, and the others follow in order', async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  const taken = [1, 2, 3, 4].map(async (number) => {
    const end = await turns.take('a', patient);
    begun.push(number);
    return end;
  });
  (await turns.take('b', patient))();
  assert.deepEqual(begun, [1, 2], 'another name has turns of its own');
  const endFirst = await taken[0]!;
  endFirst();
  endFirst();
  await taken[2];
  assert.deepEqual(begun, [1, 2, 3], 'a turn that is ended twice makes room once');
  (await taken[1]!)();
  (await taken[3]!)();
  (await taken[2]!)();
  assert.deepEqual(begun, [1, 2, 3, 4]);
});

test('an aborted waiter leaves the queue', async () => {
  const turns = createTurns(1);
  const end = await turns.take('a', patient);
  const impatient = new AbortController();
  const waiting = turns.take('a', impatient.signal);
  const next = turns.take('a', patient);
  impatient.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(turns.take('a', impatient.signal), /enough/);
  end();
  (await next)();
  (await turns.take('a', patient))();
});
