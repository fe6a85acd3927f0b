import assert from 'node:assert/strict';
import { once, setMaxListeners } from 'node:events';
import type { OrderPath, RouteAnswer, TaskAnswer } from '../helpers/service.ts';
import type { ChildService } from './child-service.ts';

/**
 * A client as the interface asks for: when the service dies under a request it waits for the next one and asks again,
 * creates with their Idempotency-Key.
 */
export interface PatientClient {
  /** From now on this process is asked. */
  use(child: ChildService): void;
  call<Method extends string, Path extends string>(
    key: string,
    method: Method,
    path: Path,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Pick<RouteAnswer<Method, Path>, 'status' | 'headers' | 'body'> & { readonly again: boolean }>;
  /** Orders and answers the task's id. @throws AssertionError where the order is refused. */
  order(key: string, path: string, body: object): Promise<string>;
  /** The task once it is final. */
  final(key: string, path: string, taskId: string): Promise<TaskAnswer>;
}

export function createPatientClient(): PatientClient {
  let current: ChildService | null = null;
  const arrivals = new EventTarget();
  setMaxListeners(0, arrivals);
  let orders = 0;

  /** A child other than the one that has just failed us. */
  async function next(failed: ChildService | null): Promise<ChildService> {
    while (current === null || current === failed) await once(arrivals, 'arrival');
    return current;
  }

  const call: PatientClient['call'] = async (key, method, path, body, headers) => {
    let failed: ChildService | null = null;
    for (;;) {
      const child = await next(failed);
      try {
        return { ...(await child.call(key, method, path, body, headers)), again: failed !== null };
      } catch (error) {
        // Anything but the death of the service is a fault.
        const dead = await Promise.race([child.ended, new Promise((resolve) => setTimeout(resolve, 2000, null))]);
        if (dead === null) throw error;
        failed = child;
      }
    }
  };

  return {
    use(child) {
      current = child;
      arrivals.dispatchEvent(new Event('arrival'));
    },
    call,
    async order(key, path, body) {
      const answer = await call(key, 'POST', path as OrderPath, body, { 'idempotency-key': `order-${orders++}` });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.data.task_id;
    },
    async final(key, path, taskId) {
      for (;;) {
        const self = `${path as '/v1/images' | '/v1/videos'}/${taskId}` as const;
        const answer = await call(key, 'GET', self, undefined, { prefer: 'wait=5' });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        if (!['queued', 'processing'].includes(answer.body.data.status)) return answer.body.data;
      }
    },
  };
}
