import { isoTime, type OutputDeliveryView } from '@darkroom-service/contract';
import {
  type Claim,
  deliveryOf,
  type Kernel,
  type StoredOutput,
  type WorkQueue,
} from '@darkroom-service/darkroom/kernel';
import { outputsOf } from '@darkroom-service/darkroom/kernel-views';
import { loadPart } from '@darkroom-service/media/process';
import { endWork, releaseWork } from '@darkroom-service/store';
import { DeliveryFault, putFile } from './put-file.ts';
import { type Target, TRIED_FOR_MS } from './stored-delivery.ts';

export type DeliveryKernel = Pick<Kernel, 'accounts' | 'clock' | 'files' | 'settings' | 'store' | 'tasks' | 'work'>;

const AT_ONCE = 32;
/** Maximum number of concurrent deliveries of an account: a bucket that hangs delays only its own account. */
const AT_ONCE_OF_ACCOUNT = 4;
const LONGEST_PAUSE_MS = 3_600_000;

/** Delivers outputs to the targets of their orders, until the bucket has them or a day has passed. */
export function startDeliveries(kernel: DeliveryKernel): WorkQueue {
  const { work } = kernel;
  return work.start({
    kind: 'delivery',
    isSuspended: () => work.isSuspended(),
    concurrency: AT_ONCE,
    concurrencyPerOwner: AT_ONCE_OF_ACCOUNT,
    perform: (claim, signal) => deliverOutputs(kernel, claim, signal),
  });
}

/** Makes one attempt for each pending output of a task, and records all of them in one commit. */
export async function deliverOutputs(kernel: DeliveryKernel, claim: Claim, signal: AbortSignal): Promise<void> {
  const { accounts, clock, store, tasks, work } = kernel;
  const { read } = store;
  const task = await read.first(
    read.builder
      .selectFrom('tasks')
      .select(['id', 'account_id', 'api_key_id', 'outputs_json', 'followed', 'webhook_url', 'deliver_json'])
      .where('id', '=', claim.subject),
  );
  const stored =
    task === undefined ? null : (deliveryOf(task) as (NonNullable<ReturnType<typeof deliveryOf>> & Started) | null);
  // Erased meanwhile.
  if (task === undefined || stored === null) {
    await store.write('delivery_attempt', (trx) => endWork(trx, claim));
    return;
  }
  const inMs = work.pause(claim.attempts, LONGEST_PAUSE_MS);
  const outputs = outputsOf(task);
  const deliveries: OutputDeliveryView[] = [];
  for (const delivery of stored.deliveries) {
    const output = outputs[delivery.output - 1];
    deliveries.push(
      delivery.state !== 'pending' || output === undefined
        ? delivery
        : await attempt(kernel, { delivery, output, stored, accountId: task.account_id, inMs, signal }),
    );
  }
  const states = deliveries.map(({ state }) => state);
  const hasEnded = !states.includes('pending');
  await store.write('delivery_attempt', async (trx) => {
    // In the same sequence as a redelivery: the task, then its work.
    const kept = await trx.first(
      trx.builder.selectFrom('tasks').select('id').where('id', '=', task.id).where('erased_at', 'is', null).forUpdate(),
    );
    const isOurs = hasEnded
      ? await endWork(trx, claim)
      : await releaseWork(trx, claim, { inMs, attempts: claim.attempts + 1 });
    if (!isOurs || kept === undefined) return;
    await trx.run(
      trx.builder
        .updateTable('tasks')
        .set((expression) => ({
          deliver_json: JSON.stringify({ ...stored, deliveries }),
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', task.id),
    );
    trx.afterCommit(() => tasks.events.changed(task.id));
    if (!hasEnded) return;
    const delivery = { isComplete: !states.includes('failed'), now: clock.now() };
    accounts.notify(trx, task, (follower, unit) => follower.delivered?.(unit, task, delivery));
  });
}

interface Started {
  readonly to: Target;
  /** Time of the first attempt. */
  readonly since: number;
}

async function attempt(
  { clock, files, settings, store }: DeliveryKernel,
  wanted: {
    readonly delivery: OutputDeliveryView;
    readonly output: StoredOutput;
    readonly stored: Started;
    readonly accountId: string;
    /** Pause before the next attempt. */
    readonly inMs: number;
    readonly signal: AbortSignal;
  },
): Promise<OutputDeliveryView> {
  const { delivery, stored, inMs } = wanted;
  const attempts = delivery.attempts + 1;
  let until = stored.since + TRIED_FOR_MS;
  try {
    // Loaded with the first delivery: few services deliver outputs.
    const { openTarget } = await loadPart(() => import('./open-target.ts'));
    const target = await openTarget({ read: store.read, vault: settings.vault }, wanted.accountId, stored.to, {
      delivery,
      sha256: wanted.output.sha256,
    });
    until = Math.min(until, target.until);
    if (clock.now() >= target.until) throw new DeliveryFault('The presigned URL has expired.');
    const { etag, verifiedBy } = await putFile(files, target, wanted.output, wanted.signal);
    const told = { reason: null, etag, verified_by: verifiedBy, delivered_at: isoTime(clock.now()) };
    return { ...delivery, attempts, state: 'delivered', ...told };
  } catch (error) {
    if (!(error instanceof DeliveryFault)) throw error;
    const state = !error.isFinal && clock.now() + inMs < until ? 'pending' : 'failed';
    return { ...delivery, attempts, state, reason: error.message };
  }
}
