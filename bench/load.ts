import { fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * One round of requests that are all alike but for the path, which goes round, and the Idempotency-Key, if it is
 * wanted.
 */
export interface LoadOrder {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly paths: readonly string[];
  readonly headers: Record<string, string>;
  /** API keys that send in turn; absent = the one in the headers, if any. */
  readonly keys?: readonly string[];
  readonly body: string | null;
  /** Whether every request gets an Idempotency-Key of its own. */
  readonly idempotent: boolean;
  /** The status of the answers that count. */
  readonly expected: 200 | 304;
  readonly connections: number;
  readonly seconds: number;
  /** Number of requests, however long they take; absent = as many as are answered in the seconds. */
  readonly amount?: number;
}

/** The answers of one round of load; latencies in milliseconds. */
export interface LoadAnswer {
  readonly answered: number;
  readonly others: number;
  readonly errors: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends a round from a process of its own.
 * @throws Error when that process fails, or when anything was answered otherwise than expected.
 */
export async function sendLoad(order: LoadOrder): Promise<LoadAnswer> {
  const sender = fork(join(import.meta.dirname, 'load-process.ts'));
  const answer = await new Promise<LoadAnswer>((resolve, reject) => {
    sender.once('message', (message) => resolve(message as LoadAnswer));
    sender.once('exit', (code) => reject(new Error(`the load process ended with ${code} and no answer`)));
    sender.send(order);
  });
  if (answer.others > 0 || answer.errors > 0) {
    throw new Error(
      `${order.method} ${order.paths[0]}: ${answer.answered} answers as expected, ${answer.others} others, ${answer.errors} errors`,
    );
  }
  return answer;
}
