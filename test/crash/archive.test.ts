import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { balanceOf } from '../../src/accounts/ledger.ts';
import { readArchive } from '../../src/archive/archive-file.ts';
import { auditDaySums } from '../../src/operations/audit-day-sums.ts';
import { auditBalances, auditSettlements } from '../../src/operations/audit-ledger.ts';
import { openFileStorage } from '../../src/storage/file-storage.ts';
import { eraseTask } from '../../src/tasks/erase-task.ts';
import { childEnvironment } from '../child-environment.ts';
import { forEachDatabase } from '../databases.ts';
import { placeAndEnd } from '../ended-order.ts';
import { insertKey, openTestServices } from '../task-services.ts';
import type { ArchiveWish } from './archive-process.ts';

const TASKS = 12;
const DAY_MS = 86_400_000;

forEachDatabase((kind) => {
  test('an archive that is killed at its commits leaves each task in the tables or in a file, and is finished later', async (t) => {
    const { services, database, clock, address } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const ids: string[] = [];
    for (let made = 0; made < TASKS; made++) {
      clock.advance(DAY_MS / 3);
      ids.push(await placeAndEnd(services, key));
    }
    const before = Date.UTC(2026, 11);
    clock.advance(before + 40 * DAY_MS - clock.now());
    for (const id of ids) await eraseTask(services, id, { deletedAt: null });
    const balance = await balanceOf(database.read, key.account.id, 'live');
    const files = await openFiles(t);
    const storage = await openFileStorage(files);
    t.after(() => storage.close());
    const wish = { ...address, files, before, now: clock.now() };
    let kills = 0;
    // The next process survives one moment more, so that all of them together die everywhere and end.
    for (; (await archiveIn({ ...wish, survives: kills })) === 'SIGKILL'; kills++) await assertWhole();
    await assertWhole();
    assert.ok(kills > 5, `only ${kills} kills`);
    assert.deepEqual(await database.read.all(database.read.builder.selectFrom('tasks').select('id')), []);
    // A kill between a file and its commit leaves no file that nothing knows of.
    const recorded = await database.read.all(database.read.builder.selectFrom('archives').select('storage_key'));
    const stored: string[] = [];
    for await (const { key: file } of storage.list('')) stored.push(file);
    assert.deepEqual(stored.sort(), recorded.map(({ storage_key }) => storage_key).sort());

    async function assertWhole(): Promise<void> {
      const { read } = database;
      const found = new Set((await read.all(read.builder.selectFrom('tasks').select('id'))).map(({ id }) => id));
      for (const archive of await read.all(read.builder.selectFrom('archives').selectAll()))
        for (const { task } of await readArchive(storage, archive.storage_key, archive)) found.add(task.id);
      assert.deepEqual([...found].sort(), [...ids].sort());
      assert.equal(await balanceOf(read, key.account.id, 'live'), balance);
      const audits = [await auditBalances(read), await auditSettlements(read), await auditDaySums(read)];
      assert.deepEqual(
        audits.flatMap(({ faults }) => faults),
        [],
      );
    }
  });
});

async function openFiles(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-archive-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

/** @returns the signal that ended the process; null = it came to its end */
async function archiveIn(wish: ArchiveWish): Promise<NodeJS.Signals | null> {
  const program = join(import.meta.dirname, 'archive-process.ts');
  const child = fork(program, [JSON.stringify(wish)], { env: childEnvironment() as NodeJS.ProcessEnv });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `the process ended with ${code}, ${signal}`);
  return signal;
}
