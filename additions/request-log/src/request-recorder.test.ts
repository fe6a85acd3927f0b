import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loggedLines } from '../../../test/helpers/logged-lines.ts';
import { type AnsweredRequest, startRequestRecorder } from './request-recorder.ts';

test('of a key the latest 2,000 requests wait for the database, of all keys 8,000, and what finds no room is counted and logged', async () => {
  const { log, lines } = loggedLines();
  const written: string[] = [];
  let dropped = 0;
  let ids = 0;
  const recorder = startRequestRecorder({
    store: {
      kind: 'sqlite',
      write: async (_unit, work) =>
        await work({ send: (_statement: unknown, row: { id: string }) => written.push(row.id) } as never),
      createId: () => String(++ids),
    },
    now: () => 0,
    log,
    figures: {
      written: () => {},
      dropped: (requests) => {
        dropped += requests;
      },
    },
  });
  const send = (key: string, requests: number) => {
    for (let sent = 0; sent < requests; sent++) recorder.record({ api_key_id: key } as AnsweredRequest);
  };
  send('one', 2_500);
  for (const key of ['two', 'three', 'four', 'five']) send(key, 1_700);
  await recorder.stop();
  const expected = Array.from({ length: 8_000 }, (_, place) => String(501 + place));
  assert.deepEqual(written, expected);
  assert.equal(dropped, 800);
  const told = lines.map(({ msg, requests }) => [msg, requests]);
  assert.deepEqual(told, [['request log entries dropped', 800]]);
});
