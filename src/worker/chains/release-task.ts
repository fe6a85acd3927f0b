import { countStored, lockStored } from '../../accounts/stored-bytes.ts';
import type { Transaction } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';
import { concurrencyOf, placeInQueue } from '../../tasks/fair-queue.ts';
import { LostClaim } from '../../tasks/move-task.ts';
import { queueOf } from '../../tasks/queue-names.ts';
import { isUnfetched, type TaskRow } from '../../tasks/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { endWaits } from '../../tasks/waits.ts';
import type { Release } from './outlook.ts';

interface ReleaseArguments {
  id: string;
  fence: number;
  request: string;
  media: string | null;
  route: string;
  queue: string;
  rank: number;
  claimable: 0 | 1;
  fetchAt: number | null;
  inputBytes: number | null;
  deadlineAt: number;
  expiresAt: number;
}

const release = prepare<ReleaseArguments, { id: string }>('chain_release', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set((expression) => ({
      step: 'waiting',
      waiting_json: null,
      request_json: argument('request'),
      media_json: argument('media'),
      route_json: argument('route'),
      queue: argument('queue'),
      rank: argument('rank'),
      claimable: argument('claimable'),
      next_at: argument('deadlineAt'),
      deadline_at: argument('deadlineAt'),
      expires_at: argument('expiresAt'),
      fetch_at: argument('fetchAt'),
      input_bytes: argument('inputBytes'),
      // Nobody has claimed it, so the fence alone keeps a second release out.
      fence: expression('fence', '+', 1),
      revision: expression('revision', '+', 1),
    }))
    .where('id', '=', argument('id'))
    .where('fence', '=', argument('fence'))
    .where('step', '=', 'blocked')
    .returning('id'),
);

/**
 * Puts a blocked task into the fair queue of its engine. Its deadline and its retention begin now.
 * @throws LostClaim if it is blocked no longer; ServiceError `storage_limit_reached`
 */
export async function releaseTask(services: TaskServices, task: TaskRow, wish: Release): Promise<void> {
  const { hardDeadlineMs, retentionMs, storedBytesPerKey } = services.settings;
  const { media, route, cutBytes } = wish;
  const queue = queueOf(route.engine, task);
  const unfetched = media.some(isUnfetched);
  const write = async (trx: Transaction) => {
    if (cutBytes > 0) await lockStored(trx, task.api_key_id);
    const concurrency = await concurrencyOf(trx, task.api_key_id);
    const { rank, claimable } = await placeInQueue(trx, {
      queue,
      keyId: task.api_key_id,
      concurrency,
      unfetched,
      isOfBatch: task.batch_id !== null,
    });
    const now = services.clock.now();
    const released = await trx.first(release, {
      id: task.id,
      fence: task.fence,
      request: JSON.stringify(wish.request),
      media: media.length === 0 ? null : JSON.stringify(media),
      route: JSON.stringify(route),
      queue,
      rank,
      claimable,
      fetchAt: unfetched ? 0 : null,
      inputBytes: cutBytes === 0 ? null : cutBytes,
      deadlineAt: now + hardDeadlineMs,
      expiresAt: now + retentionMs,
    });
    if (released === undefined) return false;
    endWaits(trx, task.id);
    if (cutBytes > 0) await countStored(trx, task.api_key_id, cutBytes, storedBytesPerKey);
    trx.afterCommit(() => {
      services.events.changed(task.id);
      if (unfetched) services.wakeFetcher();
      else services.wakeRunner();
    });
    return true;
  };
  const released = await services.database.write('release_child', write, { together: true });
  if (!released) throw new LostClaim(task.id);
}
