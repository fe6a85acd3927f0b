import assert from 'node:assert/strict';
import { type BatchView, type JsonObject, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../../src/accounts/api-key.ts';
import { cancelBatch } from '../../src/additions/batches/cancel-batch.ts';
import { BatchDraft } from '../../src/additions/batches/draft-batch.ts';
import { findBatch } from '../../src/additions/batches/find-batches.ts';
import { placeBatch, replayOfBatch } from '../../src/additions/batches/place-batch.ts';
import { kernelOf } from '../helpers/kernel.ts';
import type { Asking } from './asking.ts';
import { REFUSALS } from './customers.ts';
import { createMemory } from './memory.ts';
import { endUserOf, type Plan } from './plan.ts';
import type { SimulatedProcess } from './process.ts';
import type { BatchFact } from './read-facts.ts';
import { RECEIVER_URL } from './receiver.ts';
import type { Seeded } from './seeded.ts';

/** The customers who place batches, with what each was answered. */
export interface BatchCustomers {
  /** Places a batch, looks at it, and cancels it perhaps. */
  place(): Promise<void>;
  /** Compares all that was answered with what is there in the end. */
  judgeAnswers(batches: readonly BatchFact[]): void;
  /** @returns what makes the customers forget all that they are answered from now on */
  remember(): () => void;
}
/** Every so many orders one uses the picture of the order before. */
const CHAINED = 4;

export function createBatchCustomers(parts: {
  readonly plan: Plan;
  readonly seeded: Seeded;
  readonly asking: Asking;
  readonly tell: (who: string, what: string) => void;
}): BatchCustomers {
  const { plan, seeded, asking, tell } = parts;
  const { asKey } = asking;
  const last = new Map<string, BatchView>();

  /** Looks at an answer: its orders are all there, and none that has ended is open again. */
  function see(batch: BatchView): void {
    const { batch_id: id, counts, orders } = batch;
    const before = last.get(id);
    last.set(id, batch);
    const endedOf = ({ counts: { succeeded, failed, canceled } }: BatchView) => succeeded + failed + canceled;
    const all = counts.queued + counts.processing + endedOf(batch);
    assert.equal(all, orders, `${id} counts ${all} orders of ${orders}`);
    assert.ok(Math.min(...Object.values(counts)) >= 0, `${id} counts ${JSON.stringify(counts)}`);
    if (before === undefined) return;
    assert.ok(endedOf(batch) >= endedOf(before), `${endedOf(before)} orders of ${id} had ended, now ${endedOf(batch)}`);
    if (before.status !== 'processing') assert.equal(batch.status, before.status, `${id} was told as ${before.status}`);
  }

  /** As the route does: a known key takes precedence over a refusal. */
  async function create(services: SimulatedProcess['services'], key: OrderingKey): Promise<BatchView> {
    const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
    for (let place = 0; place < plan.batch; place++) {
      const chained = place % CHAINED === 1 ? { wait_for_parent: true, image_urls: [`order:b${place - 1}`] } : {};
      const endUser = plan.endUsers === 0 ? {} : { end_user: endUserOf((place % plan.endUsers) + 1) };
      const body: JsonObject = { model_id: 'flux-2-pro', prompt: `prompt of b${place}`, ...chained, ...endUser };
      await drafting.add(`orders[${place}]`, { name: `b${place}`, operation: 'images', body });
    }
    const claim = { scope: key.id, key: 'a batch', fingerprint: 'of a batch' };
    const fields = { maxPrice: null, maxParallel: plan.maxParallel, deliverTo: null, metadata: {} };
    try {
      const wish = { draft: await drafting.finish(), fields: { ...fields, webhookUrl: RECEIVER_URL }, claim };
      return (await placeBatch(kernelOf(services), key, wish)).batch;
    } catch (refusal) {
      const batch = await replayOfBatch(kernelOf(services), key, claim);
      if (batch === null) throw refusal;
      return batch;
    }
  }

  return {
    remember: () => createMemory(last),
    async place() {
      await asking.pause(seeded.between(0, 20) * plan.orders * 10);
      const placed = await asking.insist(asKey(create));
      if (placed instanceof ServiceError) {
        assert.ok(REFUSALS.includes(placed.code), `a batch was refused: ${placed.message}`);
        return tell('a batch', 'is refused');
      }
      const { batch_id: id } = placed;
      see(placed);
      tell('a batch', `is ${id}`);
      assert.equal(((await asking.insist(asKey(create))) as BatchView).batch_id, id, 'a batch was placed twice');
      if (seeded.happens(plan.cancels)) {
        await asking.pause(seeded.between(0, 40_000));
        see((await asking.insist(asKey((services, key) => cancelBatch(kernelOf(services), key, id)))) as BatchView);
        tell(id, 'is to be canceled');
      }
      while (last.get(id)!.status === 'processing') {
        await asking.pause(seeded.between(1_000, 20_000));
        see((await asking.insist(asKey((services, key) => findBatch(kernelOf(services), key, id)))) as BatchView);
      }
    },
    judgeAnswers(batches) {
      for (const [id, view] of last) {
        const batch = batches.find((one) => one.id === id);
        assert.ok(batch !== undefined, `${id} is lost`);
        if (view.status !== 'processing') assert.equal(batch.status, view.status, `${id} was told as ${view.status}`);
      }
    },
  };
}
