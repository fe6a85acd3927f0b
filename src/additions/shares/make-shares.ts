import { isoTime, ServiceError } from '@darkroom-service/contract';
import type { Selectable } from 'kysely';
import type { OrderingKey, Schema, TaskServices, Transaction } from '../../kernel.ts';
import type { Binding } from '../../kernel-http.ts';
import { shareKey } from './open-share.ts';
import type { ShareView } from './share-wire.ts';
import { assertUnerased, listedTasks, tasksToShare, taskToShare } from './shared-tasks.ts';

type ShareServices = Pick<TaskServices, 'clock' | 'database' | 'settings' | 'signer'>;
type ShareRow = Selectable<Schema['shares']>;

/** The links of one key that have not expired. */
const MOST_SHARES = 1_000;

/**
 * Makes a link to the results of tasks.
 * @param wanted.tasks one task, or several in the order of the page
 * @throws ServiceError `task_not_found`, `not_final`, `not_found` (the task has no output), `outputs_expired`,
 * `invalid_request` (a task is named twice), `share_limit_reached`
 */
export async function createShare(
  services: ShareServices & Pick<TaskServices, 'createId'>,
  key: OrderingKey,
  wanted: { readonly tasks: string | readonly string[]; readonly showsPrompt: boolean; readonly lifetimeMs: number },
  binding?: Binding,
): Promise<ShareView> {
  const { database, clock } = services;
  const now = clock.now();
  const { first, ids, expiresAt } =
    typeof wanted.tasks === 'string'
      ? await taskToShare(services, key, wanted.tasks)
      : await tasksToShare(services, key, wanted.tasks);
  const row: ShareRow = {
    id: services.createId('shr'),
    api_key_id: key.id,
    task_id: first,
    shows_prompt: wanted.showsPrompt ? 1 : 0,
    created_at: now,
    expires_at: Math.min(now + wanted.lifetimeMs, expiresAt),
  };
  const listed = ids.length === 1 ? [] : ids.map((id, position) => ({ share_id: row.id, position, task_id: id }));
  await database.write('create_share', async (trx) => {
    await binding?.within(trx, row.id);
    await assertUnerased(trx, ids);
    await trx.lock(`shares:${key.id}`);
    await assertRoom(trx, key.id, now);
    await trx.run(trx.builder.insertInto('shares').values(row));
    if (listed.length > 0) await trx.run(trx.builder.insertInto('share_tasks').values(listed));
  });
  return viewShare(services, row, ids);
}

/** Expired links make room first. */
async function assertRoom(trx: Transaction, keyId: string, now: number): Promise<void> {
  await trx.run(
    trx.builder
      .deleteFrom('share_tasks')
      .where('share_id', 'in', (ended) =>
        ended.selectFrom('shares').select('id').where('api_key_id', '=', keyId).where('expires_at', '<=', now),
      ),
  );
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

/** A page of the key's links that work, newest first. @param query.taskId only those that show this task; null = all */
export async function listShares(
  services: ShareServices,
  key: OrderingKey,
  query: { readonly taskId: string | null; readonly limit: number; readonly after: string | null },
): Promise<{ readonly items: ShareView[]; readonly hasMore: boolean }> {
  const { read } = services.database;
  const { taskId } = query;
  let select = read.builder
    .selectFrom('shares')
    .selectAll()
    .where('api_key_id', '=', key.id)
    .where('expires_at', '>', services.clock.now())
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (taskId !== null) {
    select = select.where('id', 'in', (shown) =>
      shown
        .selectFrom('shares')
        .select('id')
        .where('task_id', '=', taskId)
        .union(shown.selectFrom('share_tasks').select('share_id as id').where('task_id', '=', taskId)),
    );
  }
  if (query.after !== null) select = select.where('id', '<', query.after);
  const rows = await read.all(select);
  const items = await viewShares(services, rows.slice(0, query.limit));
  return { items, hasMore: rows.length > query.limit };
}

/** A link of this key that works. @throws ServiceError `not_found` */
export async function findShare(services: ShareServices, key: OrderingKey, shareId: string): Promise<ShareView> {
  const { read } = services.database;
  const row = await read.first(
    read.builder
      .selectFrom('shares')
      .selectAll()
      .where('id', '=', shareId)
      .where('api_key_id', '=', key.id)
      .where('expires_at', '>', services.clock.now()),
  );
  const [share] = row === undefined ? [] : await viewShares(services, [row]);
  if (share === undefined) throw unknownShare(shareId);
  return share;
}

/** Revokes a link. @returns when @throws ServiceError `not_found` */
export async function revokeShare(
  services: Pick<TaskServices, 'clock' | 'database'>,
  key: OrderingKey,
  shareId: string,
): Promise<string> {
  const now = services.clock.now();
  const revoked = await services.database.write('revoke_share', async (trx) => {
    await trx.lock(`shares:${key.id}`);
    const found = await trx.run(
      trx.builder
        .deleteFrom('shares')
        .where('id', '=', shareId)
        .where('api_key_id', '=', key.id)
        .where('expires_at', '>', now),
    );
    if (found > 0) await trx.run(trx.builder.deleteFrom('share_tasks').where('share_id', '=', shareId));
    return found;
  });
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

async function viewShares(services: ShareServices, rows: readonly ShareRow[]): Promise<ShareView[]> {
  const listed = await listedTasks(
    services,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => viewShare(services, row, listed.get(row.id) ?? [row.task_id]));
}

function viewShare(
  { signer, settings }: Pick<TaskServices, 'signer' | 'settings'>,
  row: ShareRow,
  taskIds: readonly string[],
): ShareView {
  const query = signer.signExactly(shareKey(row.id), row.expires_at);
  const page = `${settings.publicUrl}/shares/${row.id}`;
  const [first = row.task_id] = taskIds;
  return {
    share_id: row.id,
    task_id: first,
    task_ids: taskIds,
    type: first.startsWith('vid_') ? 'video' : 'image',
    url: `${page}${query}`,
    file_url: `${page}/file${query}`,
    show_prompt: row.shows_prompt === 1,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
  };
}
