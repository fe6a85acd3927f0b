import { fork } from 'node:child_process';

/** One round: so many connections, each of which sends its next request when the last one is answered. */
export interface RaceOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  /** No request begins after this; those that have begun are answered. */
  readonly seconds: number;
  /** The least length of an answer. A shorter one ends the race. */
  readonly leastBytes: number;
}

/** Latencies in milliseconds. */
export interface RaceAnswer {
  readonly answered: number;
  /** Until the last answer. */
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends a round from a process of its own.
 * @throws Error when that process fails, or a request is not answered as expected
 */
export async function sendRace(order: RaceOrder): Promise<RaceAnswer> {
  const sender = fork(new URL('./load-process.ts', import.meta.url), { execArgv: [] });
  return await new Promise((resolve, reject) => {
    sender.once('message', (answer: RaceAnswer | string) => {
      if (typeof answer === 'string') reject(new Error(answer));
      else resolve(answer);
    });
    sender.once('exit', (code) => reject(new Error(`the load process ended with ${code} and no answer`)));
    sender.send(order);
  });
}
