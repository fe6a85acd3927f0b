import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRunningRequest, RUNNING_BYTES, readRunningRequest } from './running-request.ts';

test('a task that is collected is named before the calls that are open, and both before a request that has ended', () => {
  const shared = new SharedArrayBuffer(8 + RUNNING_BYTES);
  const running = createRunningRequest(shared, 8);
  const said = () => readRunningRequest(shared, 8);
  running.begin('GET /healthz');
  running.end();
  const ends = Array.from({ length: 5 }, (_, index) => running.work('call', `check task_id=${index}`));
  const endCollect = running.work('collect', 'collect task_id=fox upstream=openai');
  const calls = 'check task_id=3; check task_id=4; check task_id=2';
  assert.equal(said(), `Work in progress: collect task_id=fox upstream=openai; ${calls}.`);
  running.begin('GET /v1/images');
  assert.equal(said(), 'Running: GET /v1/images.');
  running.end();
  endCollect();
  ends[3]?.();
  assert.equal(said(), 'Work in progress: check task_id=0; check task_id=4; check task_id=2.');
  ends[1]?.();
  for (const end of [ends[0], ends[2], ends[4]]) end?.();
  assert.equal(said(), 'The last that began: GET /v1/images.');
});
