import type { ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { Argument } from '@darkroom-service/store';
import { type Kysely, sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { enterWork } from '../database/work.ts';
import { concurrencyOf, fillSlots, lockSlotsOf, placeInQueue } from '../queue/fair-queue.ts';
import { GATES, gatesOfMedia, HELD_BY_BATCH, hasPlace, isClosed, isClosedIn, withoutGate } from '../queue/gates.ts';
import { engineOfQueue, queueOf } from '../queue/queue-names.ts';
import { deadlineMsAt } from '../record/order-times.ts';
import type { Route } from '../record/route.ts';
import { storedRoute } from '../record/stored-json.ts';
import type { TaskMedia, TaskRow } from '../record/task.ts';
import { simulateOf } from '../record/task-json.ts';
import { updateUnlocked } from '../record/update-unlocked.ts';
import { wakeFollowers } from './follower.ts';
import type { TaskServices } from './task-services.ts';

/**
 * Opens the gates that additions close. The additions decide when; the order's row is written here. Nothing is changed
 * while somebody else writes the order: perhaps it ends.
 */

type OpenServices = Pick<TaskServices, 'clock' | 'events' | 'followers' | 'settings' | 'wakeRunner' | 'wakeWork'>;

/** An order that waited for others, completed by their ends. */
export interface Resolved {
  readonly request: ResolvedRequest;
  readonly media: readonly TaskMedia[];
  readonly route: Route;
  /** Bytes of files that were stored for it; 0 = none. */
  readonly newBytes: number;
}

interface ParentArguments {
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

const openParent = prepare<ParentArguments, { id: string }>('open_parent', (builder, argument) =>
  updateUnlocked(
    builder,
    // Nobody has claimed it, so the fence alone prevents a second release.
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
 * Opens the gate `parent`: puts an order into the fair queue of its engine, or back to its batch, which enqueues it.
 * Its deadline and its retention begin now.
 * @returns false if the gate is open, the order has ended, or somebody else is writing it
 */
export async function openParentGate(
  services: OpenServices,
  trx: Transaction,
  task: TaskRow,
  { request, media, route, newBytes }: Resolved,
): Promise<boolean> {
  const { settings } = services;
  const queue = queueOf(route.engine, { mode: task.mode, simulate: simulateOf(task) });
  const gates = (task.gates & ~(GATES.parent | GATES.reference)) | gatesOfMedia(media);
  const unfetched = isClosed({ gates }, 'reference');
  const now = services.clock.now();
  const deadlineAt = now + deadlineMsAt(settings, route.engine);
  const opened = await trx.first(openParent, {
    id: task.id,
    fence: task.fence,
    request: JSON.stringify(request),
    media: media.length === 0 ? null : JSON.stringify(media),
    route: storedRoute(route),
    queue,
    ...(await placeReleased(trx, task, { queue, gates, deadlineAt })),
    gates,
    inputBytes: newBytes === 0 ? null : newBytes,
    deadlineAt,
    expiresAt: now + settings.retentionMs,
  });
  if (opened === undefined) return false;
  if (unfetched && hasPlace({ gates }))
    enterWork(trx, { kind: 'references', subject: task.id, owner: task.api_key_id, now });
  trx.afterCommit(() => {
    services.events.changed(task.id);
    if (!hasPlace({ gates })) wakeFollowers(services, task);
    else if (unfetched) services.wakeWork('references');
    else services.wakeRunner();
  });
  return true;
}

/** Holds a task of a batch back at its position in the batch, so that the limits of the batch apply to it too. */
async function placeReleased(
  trx: Transaction,
  task: TaskRow,
  { queue, gates, deadlineAt }: { readonly queue: string; readonly gates: number; readonly deadlineAt: number },
): Promise<Pick<ParentArguments, 'rank' | 'claimable' | 'nextAt'>> {
  if (!hasPlace({ gates })) return { rank: task.rank, claimable: 0, nextAt: null };
  const keyId = task.api_key_id;
  const concurrency = await concurrencyOf(trx, keyId);
  const { rank, claimable } = await placeInQueue(trx, { queue, keyId, concurrency, gates, line: task.line });
  return { rank, claimable, nextAt: deadlineAt };
}

interface BatchArguments {
  id: string;
  /** The gates as read: an addition may open one meanwhile. */
  gates: number;
  rank: number;
  claimable: number;
  deadline: number;
  expires: number;
}

const openBatch = prepare<BatchArguments, unknown>('open_batch', (builder, argument) =>
  updateUnlocked(
    builder,
    builder
      .selectFrom('tasks')
      .select('id')
      .where('id', '=', argument('id'))
      .where('gates', '=', argument('gates'))
      .where(HELD_BY_BATCH),
  ).set((expression) => ({
    rank: argument('rank'),
    claimable: argument('claimable'),
    next_at: argument('deadline'),
    deadline_at: argument('deadline'),
    expires_at: argument('expires'),
    gates: withoutGate('batch'),
    revision: expression('revision', '+', 1),
  })),
);

/**
 * Opens the gate `batch` of an order that only its group holds back: the order gets its place in the queue, and its
 * time begins.
 * @param key.concurrency limit of the key, whose slots this unit has locked unless it is 0
 * @returns false if the gate is open, or somebody else is writing the order, such as its cancellation
 */
export async function openBatchGate(
  services: OpenServices,
  trx: Transaction,
  { id, queue, gates: closed }: Pick<TaskRow, 'id' | 'queue' | 'gates'>,
  key: { readonly keyId: string; readonly concurrency: number },
): Promise<boolean> {
  const { clock, events, settings } = services;
  const now = clock.now();
  const gates = closed & ~GATES.batch;
  const { rank, claimable } = await placeInQueue(trx, { ...key, queue, gates, line: 1 });
  const deadline = now + deadlineMsAt(settings, engineOfQueue(queue));
  const expires = now + settings.retentionMs;
  // Waited for: the next order counts the slots that are taken.
  if ((await trx.run(openBatch, { id, gates: closed, rank, claimable, deadline, expires })) === 0) return false;
  if (isClosed({ gates }, 'reference')) {
    enterWork(trx, { kind: 'references', subject: id, owner: key.keyId, now });
    trx.afterCommit(() => services.wakeWork('references'));
  }
  trx.afterCommit(() => events.changed(id));
  trx.afterCommit(services.wakeRunner);
  return true;
}

/** References of an order that were stored since it was claimed for it. */
interface Fetched {
  readonly id: string;
  /** All media of the order, as JSON text. */
  readonly media: string;
  readonly bytes: number;
}

type Changed = Pick<TaskRow, 'gates'>;

const storeFetched = (builder: Kysely<Schema>, argument: Argument<Fetched>) =>
  updateUnlocked(
    builder,
    builder.selectFrom('tasks').select('id').where('id', '=', argument('id')).where(isClosedIn('reference')),
  )
    .set({
      media_json: argument('media'),
      input_bytes: sql<number | null>`nullif(coalesce(input_bytes, 0) + ${argument('bytes')}, 0)`,
    })
    .returning('gates');

const storeSome = prepare<Fetched, Changed>('fetch_store', storeFetched);

const storeAll = prepare<Fetched & { claimable: 0 | 1 }, Changed>('fetch_open', (builder, argument) =>
  storeFetched(builder, argument).set({
    gates: withoutGate('reference'),
    claimable: sql<number>`case when ${withoutGate('reference')} = 0 then ${argument('claimable')} else 0 end`,
  }),
);

const selectGates = prepare<{ id: string }, Changed>('gates_of', (builder, argument) =>
  builder.selectFrom('tasks').select('gates').where('id', '=', argument('id')),
);

/**
 * Records some references of an order; its gate `reference` stays closed.
 * @returns false if the gate is open, the order has ended, or somebody else is writing it
 */
export async function storeReferences(trx: Transaction, fetched: Fetched): Promise<boolean> {
  return (await trx.first(storeSome, fetched)) !== undefined;
}

/**
 * Records the last references of an order and opens its gate `reference`: the order becomes claimable as soon as its
 * key has a free slot.
 * @param key.concurrency limit of the key, whose slots this unit has locked unless it is 0
 * @returns `busy` if somebody else is writing the order, `open` if its gate is open or the order has ended
 */
export async function openReferenceGate(
  trx: Transaction,
  fetched: Fetched,
  { keyId, concurrency }: { readonly keyId: string; readonly concurrency: number },
): Promise<'opened' | 'busy' | 'open'> {
  const opened = await trx.first(storeAll, { ...fetched, claimable: concurrency === 0 ? 1 : 0 });
  if (opened === undefined) {
    const found = await trx.first(selectGates, { id: fetched.id });
    return found !== undefined && isClosed(found, 'reference') ? 'busy' : 'open';
  }
  await fillSlots(trx, keyId, concurrency);
  return 'opened';
}

const selectAtGate = prepare<{ id: string; bit: number }, Pick<TaskRow, 'api_key_id'>>('at_gate', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('api_key_id')
    .where('id', '=', argument('id'))
    .where(sql<boolean>`(gates & ${argument('bit')}) <> 0`),
);

const openAdded = prepare<{ id: string; bit: number; claimable: 0 | 1 }, unknown>('open_added', (builder, argument) =>
  updateUnlocked(
    builder,
    builder
      .selectFrom('tasks')
      .select('id')
      .where('id', '=', argument('id'))
      .where(sql<boolean>`(gates & ${argument('bit')}) <> 0`),
  ).set({
    gates: sql<number>`gates - ${argument('bit')}`,
    // Whoever opens the gate `parent` has read the row before, and must read it again.
    fence: sql<number>`fence + 1`,
    claimable: sql<number>`case when gates = ${argument('bit')} then ${argument('claimable')} else 0 end`,
  }),
);

/**
 * Opens the gate of an addition: the order becomes claimable as soon as its other gates are open and its key has a free
 * slot.
 * @returns `busy` if somebody else is writing the order, `open` if the gate is open or the order has ended
 */
export async function openAddedGate(
  services: Pick<OpenServices, 'wakeRunner'>,
  trx: Transaction,
  gate: { readonly id: string; readonly bit: number },
): Promise<'opened' | 'busy' | 'open'> {
  const order = await trx.first(selectAtGate, gate);
  if (order === undefined) return 'open';
  const concurrency = await lockSlotsOf(trx, order.api_key_id);
  if ((await trx.run(openAdded, { ...gate, claimable: concurrency === 0 ? 1 : 0 })) === 0)
    return (await trx.first(selectAtGate, gate)) === undefined ? 'open' : 'busy';
  await fillSlots(trx, order.api_key_id, concurrency);
  trx.afterCommit(services.wakeRunner);
  return 'opened';
}
