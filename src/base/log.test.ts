import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, createRepeatFilter, HOURLY_ABOUT } from './log.ts';

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

test('a line about a route is logged once an hour, with the number of omitted ones, and for each route apart', () => {
  const lines: string[] = [];
  let now = 0;
  const filter = createRepeatFilter(() => now);
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const tell = (route: string) => filter({ [HOURLY_ABOUT]: route, task_id: 'img_1' }, 'order cost other');
  assert.deepEqual([tell('fal') !== null, tell('fal'), tell('fal'), tell('openai') !== null], [true, null, null, true]);
  now += 3_599_999;
  assert.equal(tell('fal'), null);
  now += 1;
  assert.equal((tell('fal') as { repeated: number }).repeated, 3);
  log.warn({ [HOURLY_ABOUT]: 'fal', task_id: 'img_1' }, 'order cost other');
  log.warn({ [HOURLY_ABOUT]: 'fal', task_id: 'img_2' }, 'order cost other');
  const [{ msg, task_id } = {}, ...others] = lines.map((line) => JSON.parse(line));
  assert.deepEqual([msg, task_id, others.length], ['order cost other', 'img_1', 0]);
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

test('a secret of the settings is redacted anywhere in a line, in each form in which others repeat it', () => {
  const lines: string[] = [];
  const secret = 'sk-fake/fake"fakefake';
  const log = createLog('info', { write: (line) => void lines.push(line) }, null, () => null, [secret]);
  const base64 = Buffer.from(`Basic ${secret}`).toString('base64');
  log.warn({ err: new Error(`${secret} ${base64}`), url: encodeURIComponent(secret) }, `begins ${secret.slice(0, 9)}`);
  assert.doesNotMatch(lines.join(''), /fake/);
  assert.equal(JSON.parse(lines.join('')).msg, 'begins [redacted]');
});
