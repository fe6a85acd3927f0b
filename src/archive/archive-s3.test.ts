import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAndEnd } from '../../test/ended-order.ts';
import { S3_CREDENTIALS, startS3Server } from '../../test/s3-server.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import { DAY_MS } from '../accounts/closed-days.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { auditArchives } from '../operations/audit-archives.ts';
import { auditBalances, auditSettlements } from '../operations/audit-ledger.ts';
import { openStorage } from '../storage/open-storage.ts';
import { eraseTask } from '../tasks/erase-task.ts';
import { readArchive, writeArchive } from './archive-file.ts';
import { completeRecords } from './archive-record.ts';
import { archiveTasks } from './archive-tasks.ts';
import { archiveKey } from './unrecorded-files.ts';

test('tasks are archived in a bucket as in a directory: files are read back, audited, and found if their record is missing', async (t) => {
  const server = await startS3Server();
  t.after(() => server.close());
  const bucket = await server.makeBucket();
  const url = `s3://${bucket}/some/prefix?endpoint=${server.endpoint}`;
  const storage = await openStorage({ url, directory: '', s3: { credentials: S3_CREDENTIALS } });
  t.after(() => storage.close());
  const { services, database, clock } = await openTestServices(t);
  const { read } = database;
  const key = await insertKey(services);
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) ids.push(await placeAndEnd(services, key));
  const before = Date.UTC(2026, 11);
  clock.advance(before + 40 * DAY_MS - clock.now());
  for (const id of ids) await eraseTask(services, id, { deletedAt: null });
  const balance = await balanceOf(read, key.account.id, 'live');
  // A kill between a file and its record leaves such a file.
  const some = read.builder.selectFrom('tasks').selectAll().where('id', 'in', ids.slice(0, 2)).orderBy('id');
  const records = await completeRecords(read, await read.all(some));
  const [left, late] = [archiveKey('2026-11', 'arc_left'), archiveKey('2026-11', 'arc_late')];
  await writeArchive(storage, left, '2026-11', records);

  const options = { database, storage, before, readersMs: 0, now: clock.now(), createId: services.createId };
  const months = await archiveTasks({ ...options, tasksPerFile: 2 });

  assert.deepEqual(
    months.map(({ month, tasks, files }) => ({ month, tasks, files })),
    [{ month: '2026-11', tasks: 5, files: 3 }],
  );
  assert.equal(await balanceOf(read, key.account.id, 'live'), balance);
  const archives = await read.all(read.builder.selectFrom('archives').selectAll().orderBy('id'));
  const archived: string[] = [];
  for (const archive of archives)
    archived.push(...(await readArchive(storage, archive.storage_key, archive)).map(({ task }) => task.id));
  assert.deepEqual(archived.sort(), ids);
  const recorded = archives.map(({ storage_key }) => `some/prefix/${storage_key}`).sort();
  assert.ok(recorded.includes(`some/prefix/${left}`));
  // The tasks of this file are archived by now.
  await writeArchive(storage, late, '2026-11', records);
  assert.deepEqual(await archiveTasks(options), []);
  assert.deepEqual((await server.objects(bucket)).sort(), recorded);
  assert.deepEqual(await auditArchives(read, storage), { looked: 3, faults: [] });
  for (const audit of [await auditBalances(read), await auditSettlements(read)]) assert.deepEqual(audit.faults, []);
  await storage.remove(left);
  assert.deepEqual((await auditArchives(read, storage)).faults, [`archive ${left} is not in storage`]);
});
