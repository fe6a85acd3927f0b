import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openPremises, type Premises } from './child-service.ts';

for (const [database, onPostgres] of [
  ['the embedded database', false],
  ['PostgreSQL', true],
] as const) {
  test(`a process shows by heartbeats that it lives, and says that it has ended when it stops, on ${database}`, async (t) => {
    const premises = await openPremises(t, [], onPostgres);
    const child = await premises.start({ tempo: { lease: { ms: 2_000, renewEveryMs: 50 } } });
    const [row] = await until(
      () => readProcesses(premises),
      ([process]) => process !== undefined && process.beats > 3,
    );
    assert.ok(row !== undefined);
    assert.deepEqual([row.role, row.pid, row.ended_at], ['all', child.process.pid, null]);
    assert.ok(row.beat_at >= row.started_at);
    assert.deepEqual(await readdir(join(premises.directory, 'data', 'processes')), [`${row.id}.lock`]);
    child.process.kill('SIGTERM');
    assert.deepEqual(await child.ended, { code: 0, signal: null });
    const [left, ...others] = await readProcesses(premises);
    assert.deepEqual([left?.id, others.length], [row.id, 0]);
    assert.ok(left !== undefined && left.ended_at !== null && left.ended_at >= row.beat_at);
    assert.deepEqual(await readdir(join(premises.directory, 'data', 'processes')), []);
  });
}

test('a process whose event loop has stopped ends itself and says so; the next start finds it ended', async (t) => {
  const premises = await openPremises(t, []);
  // A start on a busy machine stands for a while too.
  const watchdog = { standsAtMostMs: 6_000, everyMs: 500 };
  const child = await premises.start({ tempo: { lease: { ms: 2_000, renewEveryMs: 50 }, watchdog } });
  let said = '';
  child.process.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const asked = await child.call(premises.keys.live, 'GET', '/v1/models');
  child.block(3_600_000);
  assert.deepEqual(await child.ended, { code: null, signal: 'SIGKILL' });
  assert.match(said, /^darkroom: fatal: the event loop of process \d+ .* has not turned for \d+ s\. /m);
  const request = asked.headers.get('x-request-id');
  assert.match(said, new RegExp(`The last that began: GET /v1/models key_id=key_\\w+ request_id=${request}\\.`));
  await premises.start({ tempo: { lease: { ms: 2_000, renewEveryMs: 50 } } });
  await until(
    () => readProcesses(premises),
    (rows) => rows.length === 2 && rows.filter(({ ended_at }) => ended_at !== null).length === 1,
  );
});

async function readProcesses({ database: { read } }: Premises) {
  return await read.all(read.builder.selectFrom('processes').selectAll().orderBy('started_at'));
}
