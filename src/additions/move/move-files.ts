import { randomUUID } from 'node:crypto';
import { type Storage, StorageError } from '@darkroom-service/media/storage';
import type { Client } from 'pg';
import { taskFilePrefixes } from '../../tasks/task.ts';
import { type Move, withinMove } from './ends.ts';
import { FILES, stagedName } from './stage.ts';

/**
 * The files of tasks and uploads have the same keys in both cells, and their content never changes, so each is copied
 * once.
 */

const AT_ONCE = 200;
const COPIES_AT_ONCE = 8;
/** Downloads say the type that the row has. */
const ANY_TYPE = 'application/octet-stream';

interface Owner {
  readonly id: string;
  /** The key of an upload; null for a task, whose files are found by their prefix. */
  readonly storage_key: string | null;
}

/** Tells whether what one storage has is in the other too. */
export async function isSameStorage(source: Storage, target: Storage): Promise<boolean> {
  const key = `check/${randomUUID()}`;
  await target.put(key, Buffer.from(key), { contentType: 'text/plain', maxBytes: key.length });
  try {
    return (await source.stat(key)) !== null;
  } finally {
    await target.remove(key);
  }
}

/** Copies what is not there yet. @returns how many files were copied */
export async function copyFiles(move: Move, from: Storage, to: Storage): Promise<number> {
  let copied = 0;
  for (;;) {
    const { rows } = await move.target.query<Owner>(
      `select id, null as storage_key from ${stagedName({ name: 'tasks' })} t
          where erased_at is null and (outputs_json <> '[]' or media_json is not null)
            and not exists (select 1 from ${FILES} f where f.id = t.id)
        union all
        select id, storage_key from ${stagedName({ name: 'files' })} u
          where erased_at is null and not exists (select 1 from ${FILES} f where f.id = u.id)
        limit ${AT_ONCE}`,
    );
    if (rows.length === 0) return copied;
    const left = [...rows];
    await Promise.all(
      Array.from({ length: COPIES_AT_ONCE }, async () => {
        for (let owner = left.pop(); owner !== undefined; owner = left.pop())
          for await (const key of keysOf(from, owner)) if (await copyFile(from, to, key)) copied++;
      }),
    );
    await withinMove(move, 'target', 'share', (target) =>
      target.query(`insert into ${FILES} select unnest($1::text[]) on conflict do nothing`, [rows.map(({ id }) => id)]),
    );
  }
}

async function* keysOf(storage: Storage, { id, storage_key: key }: Owner): AsyncGenerator<string> {
  if (key !== null) {
    yield key;
    return;
  }
  for (const prefix of taskFilePrefixes(id)) for await (const found of storage.list(prefix)) yield found.key;
}

async function copyFile(from: Storage, to: Storage, key: string): Promise<boolean> {
  try {
    const file = await from.stat(key);
    if (file === null || (await to.stat(key))?.bytes === file.bytes) return false;
    await to.put(key, await from.open(key), { contentType: ANY_TYPE, maxBytes: file.bytes });
    return true;
  } catch (error) {
    // Erased meanwhile.
    if (error instanceof StorageError && error.kind === 'not_found') return false;
    throw error;
  }
}

/** Removes the files of the account from the storage that it left. */
export async function removeFiles(move: Move, storage: Storage): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await nextOwners(move.source, move.account, after);
    for (const owner of rows) for await (const key of keysOf(storage, owner)) await storage.remove(key);
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)?.id ?? '';
  }
}

function nextOwners(source: Client, account: string, after: string) {
  return source.query<Owner>(
    `select id, storage_key from (
        select id, null as storage_key from tasks
          where api_key_id in (select id from api_keys where account_id = $1) and id > $2
        union all
        select id, storage_key from files
          where api_key_id in (select id from api_keys where account_id = $1) and id > $2
      ) owners order by id limit ${AT_ONCE}`,
    [account, after],
  );
}
