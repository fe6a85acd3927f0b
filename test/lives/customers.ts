import assert from 'node:assert/strict';
import { formatMicros, type JsonObject, ServiceError, type TaskView } from '@darkroom-service/contract';
import { revokeKey } from '../../src/accounts/api-keys.ts';
import type { Act } from '../../src/accounts/audit.ts';
import { creditAccount } from '../../src/accounts/credits.ts';
import { deleteTask } from '../../src/erasure/delete-task.ts';
import { cancelTask } from '../../src/orders/cancel-task.ts';
import { createTask } from '../../src/orders/create-task.ts';
import { isFinal } from '../../src/record/task.ts';
import { resume, pause as switchOff } from '../../src/routing/switched-off.ts';
import { changeLimitsOfKey } from '../../src/tasks/change-limits-of-key.ts';
import { refundTask } from '../../src/tasks/refund-task.ts';
import { findTask } from '../../src/views/find-tasks.ts';
import type { Asking } from './asking.ts';
import { createMemory } from './memory.ts';
import { endUserOf, LONGEST_STALL_MS, type Plan } from './plan.ts';
import type { OrderFact } from './read-facts.ts';
import { RECEIVER_URL } from './receiver.ts';
import type { Seeded } from './seeded.ts';

/** The customers and the operators, with what each was answered. */
export interface Customers {
  /** Lives one order: places, looks, cancels, deletes. */
  order(name: string): Promise<void>;
  /** Does a deed of an operator. */
  operate(): Promise<void>;
  /** The most that operators may have credited. */
  credited(): number;
  /** How many orders were refused for good. */
  refused(): number;
  /** The highest limits that the key may have had: its slots, and micro-dollars of it and of each end user. */
  readonly limits: { slots: number; spend: number; endUser: number };
  /** Compares all that was answered with what is there in the end. */
  judgeAnswers(orders: ReadonlyMap<string, OrderFact>): void;
  /** @returns what makes the customers forget all that they are answered from now on */
  remember(): () => void;
}

/** So often a client asks whether there is money again. */
const PATIENT_REFUSALS = 3;
const CREDIT = 200_000;
/** So often an operator looks for an order to refund. */
const PATIENT_LOOKS = 20;
/** How often an operator refunds an order without looking whether it was charged. */
const CARELESS = 0.2;
/** How often it is one of a batch. */
const OF_BATCH = 0.5;
/** How often it may go to dearer routes. */
const OR_DEARER = 0.3;
/** How often it names further models. */
const FURTHER = 0.3;
/** The codes of refusals that a client may be told beside what it asked for; a customer of a batch then gives up. */
export const REFUSALS = [
  'insufficient_balance',
  'spend_limit_reached',
  'end_user_limit_reached',
  'model_unavailable',
  'model_not_offered',
];

export function createCustomers(parts: {
  readonly plan: Plan;
  readonly keyId: string;
  readonly accountId: string;
  readonly seeded: Seeded;
  readonly asking: Asking;
  readonly tell: (who: string, what: string) => void;
  readonly hold: (ms: number) => void;
  readonly restart: () => Promise<void>;
  readonly engines: readonly string[];
  readonly now: () => number;
  readonly elapsedMs: () => number;
  /** The orders of batches that were charged, as operators see them. */
  readonly chargedOfBatches: () => readonly string[];
}): Customers {
  const { plan, keyId, seeded, tell } = parts;
  const { insist, once, pause, asKey, revocation } = parts.asking;
  const names = new Map<string, string>();
  const last = new Map<string, TaskView>();
  const deleted = new Map<string, true>();
  const refunded = new Map<string, true>();
  const terms = new Map<string, JsonObject>();
  const limits = {
    slots: plan.concurrency || Number.POSITIVE_INFINITY,
    spend: plan.spendLimit ?? Number.POSITIVE_INFINITY,
    endUser: plan.endUserLimit ?? Number.POSITIVE_INFINITY,
  };
  let credited = 0;
  let refused = 0;
  let deeds = 0;

  /** Returns how far an order may go beyond its first route: a repeat says the same. */
  function termsOf(name: string): JsonObject {
    const said = terms.get(name) ?? {
      ...(seeded.happens(OR_DEARER) ? { max_price: '1.00', allow_dearer: true } : {}),
      ...(seeded.happens(FURTHER)
        ? {
            fallback_models: seeded.pick([['flux-2-max'], ['flux-2-klein-4b', 'flux-2-flex']]),
            fallback_on_content_policy: seeded.happens(0.5),
          }
        : {}),
    };
    terms.set(name, said);
    return said;
  }

  /** Looks at an answer: it never says less than an earlier one, and an end is an end. */
  function see(view: TaskView): void {
    const before = last.get(view.task_id);
    last.set(view.task_id, view);
    if (before === undefined) return;
    const id = view.task_id;
    assert.ok(view.revision >= before.revision, `the revision of ${id} went back from ${before.revision}`);
    if (isFinal(before.status)) assert.equal(view.status, before.status, `${id} was told as ${before.status}`);
    if (view.revision === before.revision) assert.equal(view.status, before.status, `a revision of ${id} changed`);
  }

  async function place(
    name: string,
    { withKey, isTold, endUser }: { withKey: boolean; isTold: boolean; endUser: string | null },
  ): Promise<string | null> {
    const body = {
      model_id: 'flux-2-pro',
      prompt: `prompt of ${name}`,
      ...(isTold ? { webhook_url: RECEIVER_URL } : {}),
      ...(endUser === null ? {} : { end_user: endUser }),
      ...termsOf(name),
    };
    const waits = seeded.happens(0.5);
    const order = { type: 'image', path: '/v1/images', body, idempotencyKey: withKey ? name : null } as const;
    const ask = asKey((services, key) =>
      createTask(services, key, { ...order, simulate: null, waits }).then(({ task, taskId }) => ({ task, taskId })),
    );
    for (let refusals = 0; refusals < PATIENT_REFUSALS; refusals++) {
      // Without a key an order that was not answered is not repeated: it may be there.
      const answer = withKey ? await insist(ask) : await once(ask);
      if (answer === null) return null;
      if (!(answer instanceof ServiceError)) {
        if ('revision' in answer.task) see(answer.task);
        return answer.taskId;
      }
      assert.ok(REFUSALS.includes(answer.code), `${name} was refused: ${answer.message}`);
      await pause(seeded.between(100, 3_000));
    }
    refused++;
    return null;
  }

  async function look(id: string): Promise<TaskView | null> {
    const view = await once(asKey((services, key) => findTask(services, key, 'image', id)));
    if (view === null) return null;
    if (view instanceof ServiceError) throw new Error(`${id} is not there: ${view.message}`, { cause: view });
    see(view);
    return view;
  }

  async function lookUntilFinal(id: string): Promise<void> {
    for (;;) {
      const view = await look(id);
      if (view !== null && isFinal(view.status)) return;
      await pause(seeded.between(1_000, 20_000));
    }
  }

  /** Lets an upstream get no new orders for some time. */
  async function pauseEngine(act: Act): Promise<void> {
    const target = { kind: 'engine', name: parts.engines[seeded.between(0, parts.engines.length - 1)]! } as const;
    const forMs = seeded.between(1_000, 60_000);
    tell('operator', `pauses ${target.name} for ${forMs} ms`);
    await insist<void>(({ database }) => switchOff(database, act, { ...target, reason: null }));
    await pause(forMs);
    await insist<void>(({ database }) => resume(database, act, target));
    if (plan.stalls === 0) return;
    // A process that stood still may pause it only now, long after another one has answered.
    await pause(LONGEST_STALL_MS);
    await insist<void>(({ database }) => resume(database, act, target));
  }

  async function revoke(act: Act): Promise<void> {
    revocation.isAsked = true;
    tell('operator', 'revokes the key');
    await insist(({ database }) => revokeKey(database, act, keyId));
    revocation.knownAtMs = Math.min(revocation.knownAtMs, parts.elapsedMs());
  }

  async function changeLimits(act: Act): Promise<void> {
    const concurrency = seeded.pick([0, 1, 4]);
    const amount = seeded.pick([null, 300_000, 2_000_000]);
    limits.slots = Math.max(limits.slots, concurrency || Number.POSITIVE_INFINITY);
    limits.spend = Math.max(limits.spend, amount ?? Number.POSITIVE_INFINITY);
    tell(
      'operator',
      `limits the key to ${concurrency} slots and ${amount === null ? 'any amount' : formatMicros(amount)}`,
    );
    const endUserLimit = seeded.pick([null, 100_000, 400_000]);
    limits.endUser = Math.max(limits.endUser, endUserLimit ?? Number.POSITIVE_INFINITY);
    const { spendWindow: window } = plan;
    const wish = { concurrency, spendLimits: { [window]: amount }, endUserLimits: { [window]: endUserLimit } };
    const done = await once((services) => changeLimitsOfKey(services, act, keyId, wish));
    if (done instanceof ServiceError) assert.ok(revocation.isAsked, done.message);
  }

  /** Returns an order to refund; null = there is none. */
  async function findCharged(): Promise<string | null> {
    const isCharged = ({ cost }: TaskView) => cost.state === 'charged';
    const ofBatch = plan.batch > 0 && seeded.happens(OF_BATCH);
    const isCareless = seeded.happens(CARELESS);
    // Orders take their time until there is something to refund, those of batches longer.
    for (let looks = 0; looks < (ofBatch ? 2 : 1) * PATIENT_LOOKS; looks++) {
      const known = [...last.values()];
      const charged = isCareless ? known : known.filter(isCharged);
      const ids = ofBatch ? parts.chargedOfBatches() : charged.map(({ task_id: id }) => id);
      if (ids.length > 0) return ids[Math.floor(seeded.random() * ids.length)]!;
      await pause(5_000);
    }
    return null;
  }

  async function refund(act: Act): Promise<void> {
    const id = await findCharged();
    if (id === null) return;
    const done = await insist<unknown>((services) => refundTask(services, act, id));
    tell('operator', `refunds ${id}${done instanceof ServiceError ? ', in vain' : ''}`);
    if (!(done instanceof ServiceError)) return void refunded.set(id, true);
    // It was refunded by a request without an answer, or a power cut has undone it.
    assert.ok(['not_refundable', 'task_not_found'].includes(done.code), done.message);
  }

  return {
    credited: () => credited,
    refused: () => refused,
    limits,
    remember: () => createMemory(names, last, deleted, refunded),
    async order(name) {
      // Many at the same moment share a commit.
      await pause(seeded.between(0, 20) * plan.orders * 10);
      const withKey = seeded.happens(0.8);
      const isTold = seeded.happens(0.6);
      const endUser = plan.endUsers === 0 ? null : endUserOf(seeded.between(1, plan.endUsers));
      const id = await place(name, { withKey, isTold, endUser });
      if (id === null) return tell(name, withKey ? 'has no money' : 'has no answer');
      tell(name, `is ${id}`);
      names.set(name, id);
      if (withKey && seeded.happens(0.2))
        assert.equal((await place(name, { withKey, isTold, endUser })) ?? id, id, `${name} was placed twice`);
      if (seeded.happens(plan.cancels)) {
        // Many cancel while their order is on its way.
        await pause(seeded.between(0, seeded.pick([1_500, 15_000])));
        const canceled = await once(asKey((services, key) => cancelTask(services, key, 'image', id)));
        tell(name, canceled === null ? 'hears nothing of its cancel' : 'asks to cancel');
        if (canceled instanceof ServiceError) assert.equal(canceled.code, 'not_cancelable', canceled.message);
        else if (canceled !== null) see(canceled);
      }
      if (seeded.happens(0.5)) await lookUntilFinal(id);
      if (!seeded.happens(plan.deletions)) return;
      await lookUntilFinal(id);
      const answer = await insist<object>(asKey((services, key) => deleteTask(services, key, 'image', id)));
      if (answer instanceof ServiceError) assert.equal(answer.code, 'task_not_found', answer.message);
      deleted.set(id, true);
      tell(name, 'is deleted');
    },
    async operate() {
      await pause(seeded.between(0, 40) * plan.orders * 10);
      const act = { actor: 'operator', now: parts.now(), createId: (prefix: string) => `${prefix}_${++deeds}` };
      const deed = seeded.pick(['refund', 'refund', 'hold', 'credit', 'pause', 'restart', 'limits', 'revoke']);
      if (deed === 'restart') return await parts.restart();
      if (deed === 'pause') return await pauseEngine(act);
      if (deed === 'limits') return await changeLimits(act);
      if (deed === 'revoke') return plan.revokes ? await revoke(act) : undefined;
      if (deed === 'hold') return parts.hold(seeded.between(1_000, 40_000));
      if (deed === 'credit') {
        // Without an answer it may have been made: it is not repeated.
        credited += CREDIT;
        const added = await once((services) =>
          creditAccount(services.database, act, parts.accountId, { amount: CREDIT }),
        );
        return tell('operator', added === null ? 'hears nothing of a credit' : `credits ${formatMicros(CREDIT)}`);
      }
      await refund(act);
    },
    judgeAnswers(orders) {
      for (const [name, id] of names) assert.ok(orders.has(id), `${name} was answered with ${id}, which is lost`);
      assert.equal(new Set(names.values()).size, names.size, 'orders of two names');
      for (const view of last.values()) {
        const order = orders.get(view.task_id)!;
        assert.ok(order.revision >= view.revision, `${order.id} was told with a later revision`);
        if (isFinal(view.status)) assert.equal(order.status, view.status, `${order.id} was told as ${view.status}`);
        if (view.cost.state === 'charged')
          assert.equal(
            formatMicros((order.charged ?? 0) + (order.refunded ?? 0)),
            view.cost.amount,
            `cost of ${order.id}`,
          );
        if (view.cost.state === 'released') assert.equal(order.charged ?? 0, 0, `${order.id} was told as not charged`);
      }
      for (const id of refunded.keys()) assert.ok((orders.get(id)?.refunded ?? 0) > 0, `${id} was told as refunded`);
      for (const id of deleted.keys()) assert.ok(orders.get(id)?.erased_at != null, `${id} was told as deleted`);
    },
  };
}
