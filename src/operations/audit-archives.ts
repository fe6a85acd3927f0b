import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Session } from '../database/database.ts';
import type { Storage } from '../storage/storage.ts';
import type { AuditReport } from './audit-ledger.ts';

/** Files whose content is read; of the others only the size is compared. */
const READ = 20;

/** Checks whether the file of each archive is in storage as it was written, and whether no unfinished one is old. */
export async function auditArchives(session: Session, storage: Storage): Promise<AuditReport> {
  const faults: string[] = [];
  const rows = await session.all(session.builder.selectFrom('archives').selectAll().orderBy('id', 'desc'));
  for (const [place, row] of rows.entries()) {
    const name = `archive ${row.storage_key}`;
    const found = await storage.stat(row.storage_key);
    if (found === null) faults.push(`${name} is not in storage`);
    else if (found.bytes !== row.bytes) faults.push(`${name} has ${found.bytes} bytes instead of ${row.bytes}`);
    else if (place < READ && (await digestOf(await storage.open(row.storage_key))) !== row.sha256)
      faults.push(`${name} has another content than was written`);
    if (row.done_at !== null && row.moved > row.tasks) faults.push(`${name} counts ${row.moved} of ${row.tasks} tasks`);
  }
  return { looked: rows.length, faults };
}

async function digestOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of stream) hash.update(part as Buffer);
  return hash.digest('hex');
}
