import { setTimeout as sleep } from 'node:timers/promises';
import type { DataOf, TaskAnswer } from '../helpers/service.ts';
import { BrokenPromise, promise } from './broken-promise.ts';
import { eventsIn } from './event-lines.ts';
import { createRandom } from './random.ts';

/**
 * Customers who order, insist with the same Idempotency-Key, and follow their tasks each in another way; with what they
 * saw.
 */
export interface Customers {
  /** Task ids by Idempotency-Key: every 201 that was answered. */
  readonly promised: ReadonlyMap<string, string>;
  /** The final status that somebody saw, by task. */
  readonly seen: ReadonlyMap<string, string>;
  /** How often they did what, by name. */
  readonly deeds: ReadonlyMap<string, number>;
  readonly faults: readonly Error[];
  /** Takes no new orders any more. */
  stopOrdering(): void;
  /** Resolves when every order is answered, and everyone who follows a task has seen its end. */
  readonly done: Promise<unknown>;
  /** Customers who are not done yet. */
  readonly waiting: ReadonlySet<string>;
  abandon(): void;
}

export interface CustomerOptions {
  readonly seed: number;
  readonly count: number;
  readonly urls: readonly string[];
  readonly keys: readonly string[];
  readonly models: readonly string[];
  readonly webhookUrl: string;
  /** A service that is stopped, or whose database is away, says so with these; everything else is a fault. */
  readonly passing: readonly number[];
}

const FOLLOW = ['listen', 'listen', 'wait', 'poll', 'cancel', 'leave'] as const;
const FINAL = ['succeeded', 'failed', 'canceled'];
const ANSWERS_WITHIN_MS = 8_000;
const LISTENS_FOR_MS = 40_000;

export function startCustomers(options: CustomerOptions): Customers {
  const promised = new Map<string, string>();
  const seen = new Map<string, string>();
  const deeds = new Map<string, number>();
  const faults: Error[] = [];
  const waiting = new Set<string>();
  const abandoned = new AbortController();
  let ordering = true;
  const note = (deed: string) => deeds.set(deed, (deeds.get(deed) ?? 0) + 1);
  const done = Promise.all(Array.from({ length: options.count }, (_, place) => act(place)));

  async function act(place: number): Promise<void> {
    const random = createRandom(options.seed, `customer ${place}`);
    const following: Promise<void>[] = [];
    for (let turn = 0; ordering; turn++) {
      const name = `customer ${place}, order ${turn}`;
      const plan = {
        key: options.keys[place % options.keys.length] ?? '',
        model: random.pick(options.models),
        twice: random.chance(0.2),
        follow: random.pick(FOLLOW),
        cancelAfterMs: random.between(0, 1_500),
      };
      const isBatch = random.chance(0.15);
      const way = createRandom(options.seed, name);
      waiting.add(name);
      const follow = isBatch ? orderBatch : orderAndFollow;
      const run = follow(name, plan, () => way.pick(options.urls))
        .catch((error: unknown) => {
          if (!abandoned.signal.aborted) faults.push(error as Error);
        })
        .finally(() => waiting.delete(name));
      following.push(run);
      await sleep(random.between(200, 1_200));
    }
    await Promise.all(following);
  }

  async function orderAndFollow(name: string, plan: Plan, anyUrl: () => string): Promise<void> {
    const attempts = Array.from({ length: plan.twice ? 2 : 1 }, () => order(name, plan, anyUrl));
    const [taskId = '', other = taskId] = await Promise.all(attempts);
    promise(taskId === other, `one Idempotency-Key made two tasks: ${taskId} and ${other}`);
    if (plan.follow === 'leave') return;
    if (plan.follow === 'cancel') await cancel(plan, taskId, anyUrl);
    const status = plan.follow === 'listen' ? await listen(plan, taskId, anyUrl) : await watch(plan, taskId, anyUrl);
    const earlier = seen.get(taskId);
    promise(earlier === undefined || earlier === status, `${taskId} ended as ${earlier} and as ${status}`);
    seen.set(taskId, status);
  }

  /** Three orders, the second of which uses the picture of the first. */
  async function orderBatch(name: string, plan: Plan, anyUrl: () => string): Promise<void> {
    const order = (own: string, more: object = {}) => ({
      name: own,
      operation: 'images',
      body: { model_id: plan.model, prompt: `${name}, ${own}`, webhook_url: options.webhookUrl, ...more },
    });
    const orders = [order('first'), order('second', { image_urls: ['order:first'] }), order('third')];
    const send = () =>
      insist(201, anyUrl, plan.key, 'POST', '/v1/batches', { orders }, { 'idempotency-key': `batch of ${name}` });
    const [batch, again = batch] = await Promise.all([send(), ...(plan.twice ? [send()] : [])]);
    promise(batch.batch_id === again.batch_id, `one Idempotency-Key made two batches: ${batch.batch_id}`);
    note('was answered 201 for a batch');
    const path = `/v1/batches/${batch.batch_id}` as const;
    if (plan.follow === 'cancel') {
      await sleep(plan.cancelAfterMs);
      await insist(200, anyUrl, plan.key, 'POST', `${path}/cancel`);
      note('wished a batch canceled');
    }
    for (;;) {
      const { status, counts, cost } = await insist(200, anyUrl, plan.key, 'GET', path);
      if (status !== 'processing') {
        const ended = counts.succeeded + counts.failed + counts.canceled;
        promise(
          ended === orders.length && Number(cost.held) === 0,
          `${path} ended with ${JSON.stringify({ counts, cost })}`,
        );
        break;
      }
      await sleep(300);
    }
    const { items } = await insist(200, anyUrl, plan.key, 'GET', `${path}/tasks`);
    promise(items.length === orders.length, `${path} has ${items.length} tasks`);
    for (const { task_id: taskId, batch_name: own, status } of items) {
      promised.set(`${name}, ${own}`, taskId);
      seen.set(taskId, status);
    }
    note('saw the end of a batch');
  }

  async function order(name: string, { key, model, twice }: Plan, anyUrl: () => string): Promise<string> {
    const body = { model_id: model, prompt: name, webhook_url: options.webhookUrl };
    const headers = { 'idempotency-key': name };
    if (twice) note('sent an order twice at once');
    const answer = await insist(201, anyUrl, key, 'POST', '/v1/images', body, headers);
    const taskId = answer.task_id;
    const earlier = promised.get(name);
    promise(earlier === undefined || earlier === taskId, `'${name}' was answered with ${earlier} and ${taskId}`);
    promised.set(name, taskId);
    note('was answered 201');
    return taskId;
  }

  async function cancel({ key, cancelAfterMs }: Plan, taskId: string, anyUrl: () => string): Promise<void> {
    await sleep(cancelAfterMs);
    // Too late, or not to be stopped any more, is 409.
    await insist([200, 409], anyUrl, key, 'POST', `/v1/images/${taskId}/cancel`);
    note('wished a task canceled');
  }

  async function watch({ key, follow }: Plan, taskId: string, anyUrl: () => string): Promise<string> {
    for (;;) {
      const headers: Record<string, string> = follow === 'poll' ? {} : { prefer: 'wait=4' };
      const task = await insist(200, anyUrl, key, 'GET', `/v1/images/${taskId}`, undefined, headers);
      if (FINAL.includes(task.status)) {
        note(follow === 'poll' ? 'saw the end by asking' : 'saw the end by waiting');
        return task.status;
      }
      await sleep(300);
    }
  }

  /** Listens until the end is told, and comes back whenever the line breaks. */
  async function listen({ key }: Plan, taskId: string, anyUrl: () => string): Promise<string> {
    let revision = -1;
    for (;;) {
      abandoned.signal.throwIfAborted();
      try {
        const response = await fetch(`${anyUrl()}/v1/images/${taskId}/events`, {
          headers: { authorization: `Bearer ${key}` },
          signal: AbortSignal.any([abandoned.signal, AbortSignal.timeout(LISTENS_FOR_MS)]),
        });
        if (!response.ok || response.body === null) throw new Error(`listening was answered ${response.status}`);
        for await (const event of eventsIn(response.body)) {
          const task = JSON.parse(event) as TaskAnswer;
          if (task.revision < revision) throw new BrokenPromise(`${taskId} went back to revision ${task.revision}`);
          revision = task.revision;
          if (!FINAL.includes(task.status)) continue;
          note('saw the end by listening');
          return task.status;
        }
      } catch (error) {
        if (error instanceof BrokenPromise) throw error;
      }
      note('listened anew');
      await sleep(200);
    }
  }

  /**
   * Asks again until it is answered as expected.
   * @throws BrokenPromise when the answer can be neither that nor a passing trouble.
   */
  async function insist<Method extends string, Path extends string>(
    expected: number | readonly number[],
    anyUrl: () => string,
    key: string,
    method: Method,
    path: Path,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<DataOf<Method, Path>> {
    for (;;) {
      abandoned.signal.throwIfAborted();
      let status: number;
      let text: string;
      try {
        const response = await fetch(anyUrl() + path, {
          method,
          headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.any([abandoned.signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
        });
        text = await response.text();
        status = response.status;
      } catch {
        note('found the line broken');
        await sleep(150);
        continue;
      }
      if ([expected].flat().includes(status)) return JSON.parse(text).data;
      if (!options.passing.includes(status))
        throw new BrokenPromise(`${method} ${path} was answered ${status}: ${text}`);
      note(`was answered ${status}`);
      await sleep(200);
    }
  }

  return {
    promised,
    seen,
    deeds,
    faults,
    waiting,
    done,
    stopOrdering() {
      ordering = false;
    },
    abandon() {
      ordering = false;
      abandoned.abort(new Error('the run is over'));
    },
  };
}

interface Plan {
  readonly key: string;
  readonly model: string;
  readonly twice: boolean;
  readonly follow: (typeof FOLLOW)[number];
  readonly cancelAfterMs: number;
}
