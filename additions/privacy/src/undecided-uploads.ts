import { timeIdPrefix } from '@darkroom-service/contract';
import type { Kernel, Session, Store, TaskRow } from '@darkroom-service/darkroom/kernel';
import { uploadKey } from '@darkroom-service/darkroom/kernel-orders';
import { mediaOf } from '@darkroom-service/darkroom/kernel-views';
import type { Selectable } from 'kysely';
import type { DataRequestsTable } from './request-tables.ts';

/**
 * Uploads that name no end user, and that orders of an erased end user used. They may be a picture of that person, or
 * the logo of the shop: the customer decides. Each is recorded before the order that used it is erased.
 */

interface Upload {
  readonly id: string;
  readonly storage_key: string;
  readonly api_key_id: string;
  readonly created_at: number;
}

type DataRequest = Selectable<DataRequestsTable>;
type UsingTask = Pick<TaskRow, 'media_json'>;

/** Number of rows that are read at a time. */
const PORTION = 500;

/** Returns the uploads that name no end user among those that orders use. */
export async function unnamedUploadsOf(session: Session, tasks: readonly UsingTask[]): Promise<string[]> {
  const used = [...new Set(tasks.flatMap(mediaOf).flatMap(({ stored }) => uploadIdOf(stored?.key ?? '') ?? []))];
  if (used.length === 0) return [];
  const rows = await session.all(
    session.builder
      .selectFrom('files')
      .select('id')
      .where('id', 'in', used)
      .where('end_user', 'is', null)
      .where('erased_at', 'is', null)
      .orderBy('id'),
  );
  return rows.map(({ id }) => id);
}

/** Records the uploads that orders use which are about to be erased. */
export async function recordUploads(store: Store, request: DataRequest, tasks: readonly UsingTask[]): Promise<void> {
  if (request.end_user === null) return;
  const files = await unnamedUploadsOf(store.read, tasks);
  if (files.length === 0) return;
  const rows = files.map((file_id) => ({ erasure_id: request.id, file_id, account_id: request.account_id }));
  await store.write('erasure_notes_uploads', (trx) =>
    trx.run(
      trx.builder
        .insertInto('erasure_uploads')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['erasure_id', 'file_id']).doNothing()),
    ),
  );
}

/** Returns the existing uploads that this or an earlier erasure of the same end user has recorded. */
export async function undecidedUploads(
  session: Session,
  { account_id, end_user_digest }: Pick<DataRequest, 'account_id' | 'end_user_digest'>,
): Promise<Upload[]> {
  if (end_user_digest === null) return [];
  return await session.all(
    session.builder
      .selectFrom('erasure_uploads')
      .innerJoin('data_requests', 'data_requests.id', 'erasure_uploads.erasure_id')
      .innerJoin('files', 'files.id', 'erasure_uploads.file_id')
      .select(['files.id', 'files.storage_key', 'files.api_key_id', 'files.created_at'])
      .distinct()
      .where('erasure_uploads.account_id', '=', account_id)
      .where('end_user_digest', '=', end_user_digest)
      .where('files.end_user', 'is', null)
      .where('files.erased_at', 'is', null)
      .orderBy('files.id'),
  );
}

/** Removes the recorded uploads that orders of others use too. They stay without a question. */
export async function excludeSharedUploads(
  { store, hooks }: Pick<Kernel, 'hooks' | 'store'>,
  request: DataRequest,
  signal: AbortSignal,
): Promise<void> {
  const noted = await undecidedUploads(store.read, request);
  const shared: string[] = [];
  for (const keyId of new Set(noted.map(({ api_key_id: key }) => key))) {
    const open = new Set(noted.flatMap((file) => (file.api_key_id === keyId ? [file.id] : [])));
    const since = Math.min(...noted.flatMap((file) => (file.api_key_id === keyId ? [file.created_at] : [])));
    for await (const tasks of tasksOfOthers({ read: store.read, hooks }, request, { keyId, since })) {
      signal.throwIfAborted();
      for (const { stored } of tasks.flatMap(mediaOf)) {
        const id = uploadIdOf(stored?.key ?? '');
        if (id !== null && open.delete(id)) shared.push(id);
      }
      if (open.size === 0) break;
    }
  }
  if (shared.length === 0) return;
  await store.write('erasure_keeps_uploads', (trx) =>
    trx.run(
      trx.builder
        .deleteFrom('erasure_uploads')
        .where('account_id', '=', request.account_id)
        .where('file_id', 'in', shared)
        .where('erasure_id', 'in', (ids) =>
          ids.selectFrom('data_requests').select('id').where('end_user_digest', '=', request.end_user_digest),
        ),
    ),
  );
}

/** Yields the orders of a key that the erasure is not about, since the first upload; also those without a row. */
async function* tasksOfOthers(
  { read, hooks }: { readonly read: Session; readonly hooks: Kernel['hooks'] },
  { end_user: endUser, requested_at: until }: DataRequest,
  { keyId, since }: { readonly keyId: string; readonly since: number },
): AsyncGenerator<readonly UsingTask[]> {
  for (const [type, prefix] of [
    ['image', 'img'],
    ['video', 'vid'],
  ] as const)
    for (let after = timeIdPrefix(prefix, since); ; ) {
      const page = await read.all(
        read.builder
          .selectFrom('tasks')
          .select(['id', 'media_json', 'end_user', 'created_at'])
          .where('api_key_id', '=', keyId)
          .where('type', '=', type)
          .where('id', '>', after)
          .orderBy('id')
          .limit(PORTION),
      );
      yield page.filter((task) => task.end_user !== endUser || task.created_at > until);
      const last = page.at(-1);
      if (last === undefined || page.length < PORTION) break;
      after = last.id;
    }
  // The erasure waits for its own, so these are later ones or those of others.
  for (const { unplaced } of hooks) if (unplaced !== undefined) yield* unplaced(read, keyId);
}

/** Returns the id of an upload; null for other files. */
function uploadIdOf(key: string): string | null {
  const id = key.slice(key.lastIndexOf('/') + 1);
  return uploadKey(id) === key ? id : null;
}
