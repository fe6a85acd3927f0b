import { world } from '@darkroom-service/contract';
import { sql } from 'kysely';
import { type Kernel, prepare } from '../../kernel.ts';
import type { BatchRow } from './batch-view.ts';
import { cancelPortion } from './cancel-portion.ts';
import { endBatch, isOver } from './end-batch.ts';
import { enqueueNext, placePortion } from './feed-batch.ts';
import { batchesOf } from './wake-batches.ts';

/**
 * Continues the batches in progress: inserts their tasks, enqueues, cancels and ends them. Every process does this.
 * Each step reads the state of a batch and is a commit of its own, so any process can continue after any other.
 */
interface BatchFeeder {
  /** @param subject a batch that was placed or canceled, or a task that has begun or ended; absent = any of them */
  wake(subject?: string): void;
  stop(): Promise<void>;
}

/** Interval at which batches are found that this process was not notified about. */
const LOOK_EVERY_MS = 1_000;

const selectOpen = prepare<object, { id: string }>('feeder_open', (builder) =>
  builder.selectFrom('batches').select('id').where('status', '=', sql.lit('processing')).orderBy('id'),
);
const selectBatch = prepare<{ id: string }, BatchRow>('feeder_batch', (builder, argument) =>
  builder.selectFrom('batches').selectAll().where('id', '=', argument('id')),
);

export function startBatchFeeder(kernel: Kernel): BatchFeeder {
  const { read } = kernel.store;
  const woken = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let stopping = false;
  const loop = kernel.work.loop({
    run,
    restMs: LOOK_EVERY_MS,
    onError: (error) => kernel.log.error({ err: error }, 'could not carry on a batch; retrying'),
  });

  async function run(): Promise<number> {
    const now = world.monotonic();
    if (now - lookedAt >= LOOK_EVERY_MS) {
      for (const { id } of await read.all(selectOpen, {})) woken.add(id);
      lookedAt = now;
    }
    // Before the batches are read: later changes wake them again.
    const subjects = [...woken];
    woken.clear();
    for (const id of await batchesOf(read, subjects)) {
      if (stopping) return 0;
      if (await carryOn(kernel, id)) woken.add(id);
    }
    return woken.size > 0 ? 0 : LOOK_EVERY_MS;
  }

  return {
    wake(subject) {
      if (subject === undefined) lookedAt = Number.NEGATIVE_INFINITY;
      else woken.add(subject);
      loop.wake();
    },
    async stop() {
      stopping = true;
      await loop.stop();
    },
  };
}

/** Runs the next steps of a batch. @returns whether others can follow at once */
export async function carryOn(kernel: Kernel, id: string): Promise<boolean> {
  const { read } = kernel.store;
  const batch = await read.first(selectBatch, { id });
  if (batch === undefined || batch.status !== 'processing') return false;
  let more = batch.placed < batch.orders && (await placePortion(kernel, id));
  if (batch.cancel_requested_at !== null) more = (await cancelPortion(kernel, id)) || more;
  else if ((await enqueueNext(kernel, batch)) > 0) more = true;
  if (await isOver(read, batch)) await endBatch(kernel, batch);
  return more;
}
