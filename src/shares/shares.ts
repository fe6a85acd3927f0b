import type { Selectable } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import { isoTime } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Transaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findTaskRow } from '../views/find-tasks.ts';
import { taskContent } from '../views/task-content.ts';
import type { ShareView } from '../wire/share.ts';

type ShareRow = Selectable<Schema['shares']>;

/** The links of one key that have not expired. */
const MOST_SHARES = 1_000;

/**
 * Makes a link to the result of a task.
 * @throws ServiceError `task_not_found`, `not_final`, `not_found` (the task has no output), `outputs_expired`,
 * `share_limit_reached`
 */
export async function createShare(
  services: TaskServices,
  key: OrderingKey,
  wanted: { readonly taskId: string; readonly showsPrompt: boolean; readonly lifetimeMs: number },
): Promise<ShareView> {
  const { database, clock } = services;
  const task = await findTaskRow(database.read, key, null, wanted.taskId);
  // Refuses tasks without a file to show.
  await taskContent(services, key, task.type, task.id, 'output');
  const now = clock.now();
  const row: ShareRow = {
    id: services.createId('shr'),
    api_key_id: key.id,
    task_id: task.id,
    shows_prompt: wanted.showsPrompt ? 1 : 0,
    created_at: now,
    expires_at: Math.min(now + wanted.lifetimeMs, task.expires_at),
  };
  await database.write('create_share', async (trx) => {
    await trx.lock(`shares:${key.id}`);
    await assertRoom(trx, key.id, now);
    await trx.run(trx.builder.insertInto('shares').values(row));
  });
  return viewShare(services, row);
}

/** Expired links make room first. */
async function assertRoom(trx: Transaction, keyId: string, now: number): Promise<void> {
  await trx.run(trx.builder.deleteFrom('shares').where('api_key_id', '=', keyId).where('expires_at', '<=', now));
  const last = await trx.first(
    trx.builder
      .selectFrom('shares')
      .select('id')
      .where('api_key_id', '=', keyId)
      .orderBy('id')
      .limit(1)
      .offset(MOST_SHARES - 1),
  );
  if (last === undefined) return;
  throw new ServiceError(
    'share_limit_reached',
    `This API key has ${MOST_SHARES} share links, the maximum. Revoke some, or wait until they expire.`,
  );
}

/** A page of the key's links that work, newest first. @param query.taskId only those to this task; null = all */
export async function listShares(
  services: TaskServices,
  key: OrderingKey,
  query: { readonly taskId: string | null; readonly limit: number; readonly after: string | null },
): Promise<{ readonly items: ShareView[]; readonly hasMore: boolean }> {
  const { read } = services.database;
  let select = read.builder
    .selectFrom('shares')
    .selectAll()
    .where('api_key_id', '=', key.id)
    .where('expires_at', '>', services.clock.now())
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.taskId !== null) select = select.where('task_id', '=', query.taskId);
  if (query.after !== null) select = select.where('id', '<', query.after);
  const rows = await read.all(select);
  const items = rows.slice(0, query.limit).map((row) => viewShare(services, row));
  return { items, hasMore: rows.length > query.limit };
}

/** A link of this key that works. @throws ServiceError `not_found` */
export async function findShare(services: TaskServices, key: OrderingKey, shareId: string): Promise<ShareView> {
  const { read } = services.database;
  const row = await read.first(
    read.builder
      .selectFrom('shares')
      .selectAll()
      .where('id', '=', shareId)
      .where('api_key_id', '=', key.id)
      .where('expires_at', '>', services.clock.now()),
  );
  if (row === undefined) throw unknownShare(shareId);
  return viewShare(services, row);
}

/** Revokes a link. @returns when @throws ServiceError `not_found` */
export async function revokeShare(services: TaskServices, key: OrderingKey, shareId: string): Promise<string> {
  const now = services.clock.now();
  const revoked = await services.database.write('revoke_share', (trx) =>
    trx.run(
      trx.builder
        .deleteFrom('shares')
        .where('id', '=', shareId)
        .where('api_key_id', '=', key.id)
        .where('expires_at', '>', now),
    ),
  );
  if (revoked === 0) throw unknownShare(shareId);
  return isoTime(now);
}

function unknownShare(shareId: string): ServiceError {
  return new ServiceError(
    'not_found',
    `This API key has no share link '${shareId.slice(0, 64)}'. It may have expired or been revoked.`,
    { param: 'share_id' },
  );
}

function viewShare({ signer }: Pick<TaskServices, 'signer'>, row: ShareRow): ShareView {
  const { url, fileUrl } = signer.signShare(row.id, row.expires_at);
  return {
    share_id: row.id,
    task_id: row.task_id,
    type: row.task_id.startsWith('vid_') ? 'video' : 'image',
    url,
    file_url: fileUrl,
    show_prompt: row.shows_prompt === 1,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
  };
}
