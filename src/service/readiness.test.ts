import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openTestDatabase } from '../../test/databases.ts';
import { loggedLines } from '../../test/logged-lines.ts';
import { ManualClock } from '../../test/task-services.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../engines/engine.ts';
import type { Storage } from '../storage/storage.ts';
import { createReadiness } from './readiness.ts';

const never = () => new Promise<never>(() => {});

async function open(
  t: TestContext,
  faults: { database?: (real: Database) => Database; storage?: () => Promise<void>; probe?: Engine['probe'] },
) {
  const { database } = await openTestDatabase(t, 'sqlite');
  const { log, lines } = loggedLines();
  const engine = { name: 'far', concurrency: 1, start: never, check: never, probe: faults.probe ?? never } as Engine;
  const readiness = createReadiness({
    database: faults.database?.(database) ?? database,
    storage: { check: faults.storage ?? (async () => {}) } as Storage,
    engines: new Map([['far', engine]]),
    circuits: { of: () => null },
    clock: new ManualClock(),
    log,
    deadlineMs: 30,
  });
  return { readiness, lines };
}

test('a hanging check is reported, fails only what needs it, and is not started twice', async (t) => {
  let started = 0;
  const { readiness, lines } = await open(t, {
    storage: () => {
      started++;
      return never();
    },
  });
  for (let round = 0; round < 2; round++) {
    const { ready, orders, reads, files, checks } = await readiness.report();
    assert.deepEqual([ready, orders, reads, files], [true, true, true, false]);
    assert.match(checks.find(({ name }) => name === 'storage')?.detail ?? '', /^no answer for [\d.]+ s$/);
  }
  assert.equal(started, 1);
  assert.equal(lines.filter(({ msg, check }) => msg === 'outage began' && check === 'storage').length, 1);
});

test('a database that hangs on a write fails orders, and one that hangs on a read fails everything', async (t) => {
  const writing = await open(t, { database: (real) => ({ ...real, write: never }) });
  const { ready, orders, reads } = await writing.readiness.report();
  assert.deepEqual([ready, orders, reads], [true, false, true]);
  const reading = await open(t, {
    database: (real) => ({ ...real, read: { ...real.read, builder: real.read.builder, first: never } }),
  });
  const all = await reading.readiness.report();
  assert.deepEqual([all.ready, all.orders, all.reads, all.files], [false, false, false, false]);
});

test('the probes of engines never delay the answer, and one round of them runs at a time', async (t) => {
  let probes = 0;
  const answer = Promise.withResolvers<{ ok: boolean; message: string }>();
  const { readiness } = await open(t, {
    probe: () => {
      probes++;
      return answer.promise;
    },
  });
  const detail = async () => (await readiness.report()).checks.at(-1)?.detail;
  assert.equal(await detail(), 'configured; not probed yet');
  await detail();
  assert.equal(probes, 1);
  answer.resolve({ ok: false, message: 'the key was refused' });
  const { checks, ready } = await readiness.report({ probeEngines: true });
  assert.deepEqual(checks.at(-1), { name: 'engine far', ok: false, detail: 'the key was refused' });
  assert.equal(ready, true);
});
