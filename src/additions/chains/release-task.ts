import {
  enterWork,
  isClosed,
  isClosedIn,
  prepare,
  queueOf,
  type TaskRow,
  type TaskServices,
  type Transaction,
} from '../../kernel.ts';
import {
  concurrencyOf,
  countStored,
  deadlineMsAt,
  GATES,
  gatesOfMedia,
  hasPlace,
  LostClaim,
  lockStored,
  placeInQueue,
  updateUnlocked,
} from '../../kernel-orders.ts';
import { wakeFollowers } from '../../tasks/follower.ts';
import { storedRoute } from '../../tasks/stored-json.ts';
import { simulateOf, storerOfMedia } from '../../tasks/task-json.ts';
import type { Release } from './outlook.ts';
import { PARENT_GATE } from './waits.ts';

export type ReleaseServices = Pick<
  TaskServices,
  'clock' | 'database' | 'events' | 'followers' | 'settings' | 'wakeRunner' | 'wakeWork'
>;

interface ReleaseArguments {
  id: string;
  fence: number;
  request: string;
  media: string | null;
  route: string;
  queue: string;
  rank: number;
  claimable: 0 | 1;
  gates: number;
  inputBytes: number | null;
  nextAt: number | null;
  deadlineAt: number;
  expiresAt: number;
}

const release = prepare<ReleaseArguments, { id: string }>('chain_release', (builder, argument) =>
  updateUnlocked(
    builder,
    // Nobody has claimed it, so the fence alone keeps a second release out.
    builder
      .selectFrom('tasks')
      .select('id')
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where(isClosedIn('parent')),
  )
    .set((expression) => ({
      request_json: argument('request'),
      media_json: argument('media'),
      route_json: argument('route'),
      queue: argument('queue'),
      rank: argument('rank'),
      claimable: argument('claimable'),
      next_at: argument('nextAt'),
      deadline_at: argument('deadlineAt'),
      expires_at: argument('expiresAt'),
      gates: argument('gates'),
      input_bytes: argument('inputBytes'),
      fence: expression('fence', '+', 1),
      revision: expression('revision', '+', 1),
    }))
    .returning('id'),
);

/**
 * Puts a task that waited for others into the fair queue of its engine, or back to its batch, which lets it in. Its
 * deadline and its retention begin now.
 * @throws LostClaim if it waits no longer, or if somebody else is writing it: then its parents are looked at again.
 * ServiceError `storage_limit_reached`
 */
export async function releaseTask(services: ReleaseServices, task: TaskRow, wish: Release): Promise<void> {
  const { retentionMs, storageLimits } = services.settings;
  const { media, route, cutBytes } = wish;
  const queue = queueOf(route.engine, { mode: task.mode, simulate: simulateOf(task) });
  const gates = (task.gates & GATES.batch) | gatesOfMedia(media);
  const unfetched = isClosed({ gates }, 'reference');
  const write = async (trx: Transaction) => {
    if (cutBytes > 0) await lockStored(trx, task.api_key_id);
    const now = services.clock.now();
    const deadlineAt = now + deadlineMsAt(services.settings, route.engine);
    const position = await placeReleased(trx, task, { queue, gates, deadlineAt });
    const released = await trx.first(release, {
      id: task.id,
      fence: task.fence,
      request: JSON.stringify(wish.request),
      media: media.length === 0 ? null : JSON.stringify(media),
      route: storedRoute(route),
      queue,
      ...position,
      gates,
      inputBytes: cutBytes === 0 ? null : cutBytes,
      deadlineAt,
      expiresAt: now + retentionMs,
    });
    if (released === undefined) return false;
    PARENT_GATE.forget(trx, task.id);
    if (unfetched && hasPlace({ gates }))
      enterWork(trx, { kind: 'references', subject: task.id, owner: task.api_key_id, now });
    if (cutBytes > 0) await countStored(trx, storerOfMedia(task, media), cutBytes, storageLimits);
    trx.afterCommit(() => {
      services.events.changed(task.id);
      if (!hasPlace({ gates })) wakeFollowers(services, task);
      else if (unfetched) services.wakeWork('references');
      else services.wakeRunner();
    });
    return true;
  };
  const released = await services.database.write('release_child', write, { together: true });
  if (!released) throw new LostClaim(task.id);
}

type ReleasedPosition = Pick<ReleaseArguments, 'rank' | 'claimable' | 'nextAt'>;

/** A task of a batch is held back at its position in the batch, so that the limits of the batch hold for it too. */
async function placeReleased(
  trx: Transaction,
  task: TaskRow,
  { queue, gates, deadlineAt }: { readonly queue: string; readonly gates: number; readonly deadlineAt: number },
): Promise<ReleasedPosition> {
  if (!hasPlace({ gates })) return { rank: task.rank, claimable: 0, nextAt: null };
  const keyId = task.api_key_id;
  const concurrency = await concurrencyOf(trx, keyId);
  const { rank, claimable } = await placeInQueue(trx, { queue, keyId, concurrency, gates, line: task.line });
  return { rank, claimable, nextAt: deadlineAt };
}
