import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { type Storage, StorageError } from '@darkroom-service/media';
import { openTestDatabase } from '../../test/helpers/databases.ts';
import { loggedLines } from '../../test/helpers/logged-lines.ts';
import { ONLY_PROCESS } from '../../test/helpers/process-state.ts';
import { ManualClock } from '../../test/helpers/task-services.ts';
import { temporaryDirectory } from '../../test/helpers/temporary-directory.ts';
import { DATABASE_LOST } from '../base/system-fault.ts';
import type { Database } from '../database/database.ts';
import { COMMITTED } from './dependency-checks.ts';
import { Outages } from './outages.ts';
import { Readiness } from './readiness.ts';

const never = () => new Promise<never>(() => {});

async function open(
  t: TestContext,
  faults: {
    database?: (real: Database) => Database;
    storage?: () => Promise<void>;
    probe?: Engine['probe'];
    spool?: string;
    temporaryDirectory?: string;
    freshMs?: number;
  },
) {
  const { database } = await openTestDatabase(t, 'sqlite');
  const { log, lines } = loggedLines();
  const engine = { name: 'far', concurrency: 1, start: never, check: never, probe: faults.probe ?? never } as Engine;
  const clock = new ManualClock();
  const readiness = new Readiness({
    database: faults.database?.(database) ?? database,
    storage: { check: faults.storage ?? (async () => {}) } as Storage,
    engines: new Map([['far', engine]]),
    valves: { of: () => null, beginning: () => null },
    clock,
    processState: ONLY_PROCESS,
    stalls: { totalMs: () => 0 },
    outages: new Outages(clock, log),
    spool: faults.spool ?? null,
    temporaryDirectory: faults.temporaryDirectory ?? (await temporaryDirectory('darkroom-ready-')),
    addedChecks: { list: () => [] },
    noPublicUrl: null,
    isWorker: faults.spool !== undefined,
    // On a busy machine, the checks that work take longer than the shortest limit.
    deadlineMs: 1_000,
    freshMs: faults.freshMs,
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
  assert.deepEqual(lines, [], 'a moment without an answer is no outage');
});

test('an outage is logged once, with the reason of the operator', async (t) => {
  const { readiness, lines } = await open(t, {
    database: (real) => ({
      ...real,
      write: async () => {
        const cause = Object.assign(new Error('connection refused'), { code: '57P03' });
        throw new ServiceError('service_unavailable', 'Retry later.', { cause });
      },
    }),
    freshMs: 0,
  });
  for (let look = 0; look < 4; look++) await readiness.report();
  assert.deepEqual(
    lines.map(({ msg, check, reason }) => [msg, check, reason]),
    [['outage began', 'database writes', 'connection refused (57P03)']],
  );
  assert.deepEqual(
    readiness.outages().map(({ name, detail }) => [name, detail]),
    [['database writes', 'connection refused (57P03)']],
  );
  const { checks } = await readiness.report();
  const since = checks.flatMap((check) => ('since' in check ? [[check.name, check.since]] : []));
  assert.deepEqual(since, [['database writes', readiness.outages()[0]?.since]]);
});

test('a lost connection and a commit have the words of the doctor', async (t) => {
  const lost = async () => {
    throw new Error('Connection terminated unexpectedly');
  };
  const wordsOf = async (opened: Awaited<ReturnType<typeof open>>) =>
    (await opened.readiness.report()).checks.find(({ name }) => name === 'database writes')?.detail;
  assert.equal(await wordsOf(await open(t, {})), COMMITTED);
  assert.equal(await wordsOf(await open(t, { database: (real) => ({ ...real, write: lost }) })), DATABASE_LOST);
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

test('a storage that hangs while the database takes no writes is not known, and no fault of its own', async (t) => {
  const { readiness } = await open(t, { database: (real) => ({ ...real, write: never }), storage: never });
  const { files, checks } = await readiness.report();
  const { detail, ...storage } = checks.find(({ name }) => name === 'storage')!;
  assert.deepEqual([files, storage], [false, { name: 'storage', ok: false, waits_for: 'database writes' }]);
  assert.match(detail, /^not known while the database takes no writes: no answer for [\d.]+ s$/);
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

test('a worker that cannot write answers to its disk is not ready, and says so', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-disk-'));
  t.after(() => rm(folder, { recursive: true }));
  const well = await open(t, { spool: folder, freshMs: 0 });
  assert.deepEqual([(await well.readiness.report()).ready, well.readiness.isSpoolUp], [true, true]);
  assert.deepEqual(await readdir(folder), [], 'nothing is left of the check');
  const path = join(folder, 'full');
  // No folder can be made of a file: like a full disk, it refuses what is written.
  await writeFile(path, '');
  const { readiness } = await open(t, { spool: path, freshMs: 0 });
  const { ready, orders, checks } = await readiness.report();
  assert.deepEqual([ready, orders, readiness.isSpoolUp], [false, true, false]);
  assert.match(checks.find(({ name }) => name === 'spool')?.detail ?? '', /EEXIST|ENOTDIR/);
});

test('a process that cannot write temporary files is not ready, whatever its role, and makes their directory again', async (t) => {
  const parent = await temporaryDirectory('darkroom-disk-');
  const own = join(parent, 'own');
  const { readiness } = await open(t, { temporaryDirectory: own, freshMs: 0 });
  const look = async () => {
    const { ready, files, checks } = await readiness.report();
    return [ready, files, checks.find(({ name }) => name === 'temporary files')?.ok];
  };
  assert.deepEqual(await look(), [true, true, true]);
  assert.deepEqual(await readdir(own), [], 'nothing is left of the check');
  await rm(own, { recursive: true });
  assert.deepEqual(await look(), [true, true, true]);
  await rm(own, { recursive: true });
  await writeFile(own, '');
  assert.deepEqual(await look(), [false, false, false]);
});

test('a fault of the disk is told as a sentence, and only the log names the path', async (t) => {
  const { readiness, lines } = await open(t, {
    storage: async () => {
      const cause = Object.assign(new Error('ENOSPC: no space left on device, write /srv/files/a'), { code: 'ENOSPC' });
      throw new StorageError('full', 'The disk is full.', cause);
    },
    freshMs: 0,
  });
  for (let look = 0; look < 4; look++) await readiness.report();
  const { checks } = await readiness.report();
  assert.equal(checks.find(({ name }) => name === 'storage')?.detail, 'the disk is full (ENOSPC)');
  assert.equal(readiness.outages()[0]?.detail, 'the disk is full (ENOSPC)');
  assert.match(String(lines.find(({ msg }) => msg === 'outage began')?.reason), /\/srv\/files\/a/);
});
