import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildService } from '../crash/child-service.ts';

const BODY = { model_id: 'paid-night', prompt: 'a lighthouse' };
const BETWEEN_ORDERS_MS = 150;
const ANSWER_MS = 10_000;

/** A customer who orders all the time and repeats each request under its idempotency key until it is answered 201. */
export class Customer {
  /** Ids of the orders that were answered 201. */
  readonly promised: string[] = [];
  /** Requests that were not answered 201, or not at all. */
  refused = 0;
  service: ChildService | null = null;
  readonly #key: string;
  #ordering: Promise<void> | null = null;
  #isEnding = false;

  constructor(key: string) {
    this.#key = key;
  }

  begin(): void {
    this.#isEnding = false;
    this.#ordering = this.#order();
  }

  /** Resolves when the last order is answered. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#ordering;
  }

  async #order(): Promise<void> {
    for (; !this.#isEnding; await sleep(BETWEEN_ORDERS_MS)) {
      const headers = { 'idempotency-key': `night-${this.promised.length}` };
      for (;;) {
        const id = await this.#place(headers);
        if (id !== null) {
          this.promised.push(id);
          break;
        }
        this.refused++;
        await sleep(BETWEEN_ORDERS_MS);
      }
    }
  }

  /** Returns the id of a placed order; null = it must be asked again. */
  async #place(headers: Record<string, string>): Promise<string | null> {
    const answer = this.service?.call(this.#key, 'POST', '/v1/images', BODY, headers);
    const late = sleep(ANSWER_MS, undefined, { ref: false });
    const found = await Promise.race([answer, late]).catch(() => undefined);
    return found?.status === 201 ? (found.body.data.task_id as string) : null;
  }
}
