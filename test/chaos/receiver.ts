import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { BrokenPromise } from './broken-promise.ts';

/** A receiver of webhooks that believes only what the official library verifies. */
export interface Receiver {
  readonly url: string;
  /** What was told of each task: the ids of deliveries, with the status that each told. */
  readonly told: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly faults: readonly Error[];
  /** While it is down it hangs up on everyone. */
  setDown(down: boolean): void;
  close(): Promise<void>;
}

/** Opens the receiver of webhooks. @param secrets returns those of all accounts; asked for when a delivery comes. */
export async function openReceiver(secrets: () => readonly string[]): Promise<Receiver> {
  const told = new Map<string, Map<string, string>>();
  const faults: Error[] = [];
  let isDown = false;
  const server = createServer(async (request, response) => {
    if (isDown) return void request.socket.destroy();
    try {
      const body = await text(request);
      verify(body, request.headers as Record<string, string>, secrets());
      const { type, data } = JSON.parse(body) as { type: string; data: { task_id: string; status: string } };
      if (type !== `task.${data.status}`) throw new BrokenPromise(`${type} tells of a task that is ${data.status}`);
      const deliveries = told.get(data.task_id) ?? new Map<string, string>();
      told.set(data.task_id, deliveries.set(String(request.headers['webhook-id']), data.status));
      response.end();
    } catch (error) {
      // A sender that was killed halfway is no fault.
      if (!request.complete) return;
      faults.push(error as Error);
      response.writeHead(400).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    told,
    faults,
    setDown(down) {
      isDown = down;
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @throws WebhookVerificationError unless it was signed with one of the secrets. */
function verify(body: string, headers: Record<string, string>, secrets: readonly string[]): void {
  for (const [place, secret] of secrets.entries()) {
    try {
      new Webhook(secret).verify(body, headers);
      return;
    } catch (error) {
      if (place === secrets.length - 1) throw error;
    }
  }
}
