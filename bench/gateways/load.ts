import { fork } from 'node:child_process';
import type { RaceAnswer, RaceOrder } from './load-process.ts';

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
