import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, createRepeatFilter } from './log.ts';

test('a repeated error is logged once a minute, with the number of omitted repetitions', () => {
  let now = 0;
  const filter = createRepeatFilter(() => now);
  const fail = (message: string) => filter({ err: new Error(message) }, 'could not claim tasks; retrying');
  assert.notEqual(fail('away'), null);
  assert.equal(fail('away'), null);
  assert.equal(fail('away'), null);
  assert.notEqual(fail('another reason'), null);
  now += 60_000;
  assert.equal((fail('away') as { repeated: number }).repeated, 2);
});

test('errors of tasks and requests are always logged, each stack only once', () => {
  const filter = createRepeatFilter(() => 0);
  const fail = (task_id: string) => filter({ err: new Error('away'), task_id }, 'the task could not be advanced');
  assert.ok((fail('img_1') as { err: Error }).err instanceof Error);
  const { err, task_id } = fail('img_2') as { err: object; task_id: string };
  assert.deepEqual([err, task_id], [{ type: 'Error', message: 'away' }, 'img_2']);
});

test('a log line has the trace that its fields belong to', () => {
  const lines: string[] = [];
  const traceOf = (fields: object) => ('task_id' in fields ? `trace of ${fields.task_id}` : null);
  const log = createLog('info', { write: (line) => void lines.push(line) }, null, traceOf);
  log.info({ task_id: 'img_1' }, 'task placed');
  log.info('ready');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).trace_id),
    ['trace of img_1', undefined],
  );
});

test('every log line names role and process, and none contains a key', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) }, { role: 'worker', process: 'host:1' });
  log.info({ request_id: 'r1' }, 'order placed with dk_live_abc');
  const { role, process, request_id, msg } = JSON.parse(lines[0] ?? '');
  assert.deepEqual(
    [role, process, request_id, msg],
    ['worker', 'host:1', 'r1', 'order placed with dk_live_[redacted]'],
  );
});
