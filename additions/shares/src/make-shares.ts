import { cutText, isoTime, ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey, Transaction } from '@darkroom-service/darkroom/kernel';
import type { Binding } from '@darkroom-service/darkroom/kernel-http';
import { shareKey } from './open-share.ts';
import type { ShareView } from './share-wire.ts';
import { assertUnerased, readLinks, type SharedLink, tasksToShare, taskToShare } from './shared-tasks.ts';

type Parts = Pick<Kernel, 'clock' | 'files' | 'settings' | 'store'>;

/** Maximum number of unexpired links of one key. */
const MOST_SHARES = 1_000;

/**
 * Makes a link to the results of tasks.
 * @param wanted.tasks a task, or several in the order of the page
 * @throws ServiceError `task_not_found`, `not_final`, `not_found` (the task has no output), `outputs_expired`,
 * `invalid_request` (a task is named twice), `share_limit_reached`
 */
export async function createShare(
  kernel: Parts & Pick<Kernel, 'outputs' | 'tasks'>,
  key: OrderingKey,
  wanted: { readonly tasks: string | readonly string[]; readonly showsPrompt: boolean; readonly lifetimeMs: number },
  binding?: Binding,
): Promise<ShareView> {
  const { store, clock } = kernel;
  const now = clock.now();
  const { ids, expiresAt } =
    typeof wanted.tasks === 'string'
      ? await taskToShare(kernel, key, wanted.tasks)
      : await tasksToShare(kernel, key, wanted.tasks);
  const link = {
    id: store.createId('shr'),
    shows_prompt: wanted.showsPrompt ? 1 : 0,
    created_at: now,
    expires_at: Math.min(now + wanted.lifetimeMs, expiresAt),
  };
  const ofKey = { api_key_id: key.id, is_list: ids.length === 1 ? 0 : 1 };
  const rows = ids.map((task_id, position) => ({ ...link, ...ofKey, task_id, position }));
  await store.write('create_share', async (trx) => {
    await binding?.within(trx, link.id);
    await assertUnerased(kernel, trx, ids);
    await trx.lock(`shares:${key.id}`);
    await assertRoom(trx, key.id, now);
    await trx.run(trx.builder.insertInto('shares').values(rows));
  });
  return viewShare(kernel, { ...link, tasks: ids });
}

/** Makes sure that there is room for a link. Expired links are removed first. */
async function assertRoom(trx: Transaction, keyId: string, now: number): Promise<void> {
  await trx.run(trx.builder.deleteFrom('shares').where('api_key_id', '=', keyId).where('expires_at', '<=', now));
  const last = await trx.first(
    trx.builder
      .selectFrom('shares')
      .select('id')
      .where('api_key_id', '=', keyId)
      .distinct()
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

/**
 * Returns a page of the key's valid links, newest first.
 * @param query.taskId only those that show this task; null = all
 */
export async function listShares(
  kernel: Parts,
  key: OrderingKey,
  query: { readonly taskId: string | null; readonly limit: number; readonly after: string | null },
): Promise<{ readonly items: ShareView[]; readonly hasMore: boolean }> {
  const { read } = kernel.store;
  const { taskId } = query;
  let select = read.builder
    .selectFrom('shares')
    .select('id')
    .where('api_key_id', '=', key.id)
    .where('expires_at', '>', kernel.clock.now())
    .distinct()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (taskId !== null) select = select.where('task_id', '=', taskId);
  if (query.after !== null) select = select.where('id', '<', query.after);
  const ids = (await read.all(select)).map(({ id }) => id);
  const links = await readLinks(kernel, key.id, ids.slice(0, query.limit));
  return { items: links.map((link) => viewShare(kernel, link)), hasMore: ids.length > query.limit };
}

/** Returns a valid link of this key. @throws ServiceError `not_found` */
export async function findShare(kernel: Parts, key: OrderingKey, shareId: string): Promise<ShareView> {
  const [link] = await readLinks(kernel, key.id, [shareId]);
  if (link === undefined) throw unknownShare(shareId);
  return viewShare(kernel, link);
}

/** Revokes a link. @returns the time of the revocation @throws ServiceError `not_found` */
export async function revokeShare(
  { clock, store }: Pick<Kernel, 'clock' | 'store'>,
  key: OrderingKey,
  shareId: string,
): Promise<string> {
  const now = clock.now();
  const revoked = await store.write('revoke_share', async (trx) => {
    await trx.lock(`shares:${key.id}`);
    return await trx.run(
      trx.builder
        .deleteFrom('shares')
        .where('id', '=', shareId)
        .where('api_key_id', '=', key.id)
        .where('expires_at', '>', now),
    );
  });
  if (revoked === 0) throw unknownShare(shareId);
  return isoTime(now);
}

function unknownShare(shareId: string): ServiceError {
  return new ServiceError(
    'not_found',
    `This API key has no share link '${cutText(shareId, 64)}'. It may have expired or been revoked.`,
    { param: 'share_id' },
  );
}

function viewShare({ files, settings }: Pick<Kernel, 'files' | 'settings'>, { tasks, ...link }: SharedLink): ShareView {
  const query = files.signer.signExactly(shareKey(link.id), link.expires_at);
  const page = `${settings.publicUrl}/shares/${link.id}`;
  const [first = ''] = tasks;
  return {
    share_id: link.id,
    task_id: first,
    task_ids: tasks,
    type: first.startsWith('vid_') ? 'video' : 'image',
    url: `${page}${query}`,
    file_url: `${page}/file${query}`,
    show_prompt: link.shows_prompt === 1,
    created_at: isoTime(link.created_at),
    expires_at: isoTime(link.expires_at),
  };
}
