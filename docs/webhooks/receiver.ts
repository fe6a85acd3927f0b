/**
 * A receiver of Darkroom's webhooks. `npm install standardwebhooks`, then, with Node 24 or newer:
 *
 *     DARKROOM_URL=https://… DARKROOM_API_KEY=dk_live_… DARKROOM_WEBHOOK_SECRETS=whsec_… node receiver.ts
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';

interface Task {
  readonly task_id: string;
  readonly type: 'image' | 'video';
  readonly status: 'succeeded' | 'failed' | 'canceled';
}

interface WebhookEvent {
  readonly type: string;
  readonly data: Task;
}

const { DARKROOM_URL = 'http://127.0.0.1:8080', DARKROOM_API_KEY = '', DARKROOM_WEBHOOK_SECRETS = '' } = process.env;
const { HOST = '127.0.0.1', PORT = '8081', INBOX = 'inbox.db' } = process.env;
const MAX_BODY_BYTES = 1_000_000;
const LOOK_EVERY_MS = 10_000;

// Comma-separated: during a rotation put both secrets here.
const verifiers = DARKROOM_WEBHOOK_SECRETS.split(',').map((secret) => new Webhook(secret.trim()));

const inbox = new DatabaseSync(INBOX, { timeout: 5_000 });
inbox.exec(`create table if not exists inbox
  (webhook_id text primary key, task_path text not null, done integer not null default 0)`);
const keep = inbox.prepare('insert into inbox (webhook_id, task_path) values (?, ?) on conflict do nothing');
const open = inbox.prepare('select webhook_id, task_path from inbox where done = 0 order by rowid');
const finish = inbox.prepare('update inbox set done = 1 where webhook_id = ?');

const server = createServer(async (request, response) => {
  response.statusCode = await receive(request).catch(() => 500);
  response.end();
});
server.listen(Number(PORT), HOST, () => {
  console.log(`listens on http://${HOST}:${(server.address() as AddressInfo).port}`);
});

/** Verifies and stores the event. The work comes later, because the response is due within ten seconds. */
async function receive(request: IncomingMessage): Promise<number> {
  const body = await readBody(request);
  if (body === null) return 413;
  const event = verify(body, request.headers as Record<string, string>);
  if (event === null) return 401;
  // Batches and test events have types of their own.
  if (!event.type.startsWith('task.')) return 204;
  const task = event.data;
  // Store before the response. A repeated event has the same id and changes nothing.
  keep.run(String(request.headers['webhook-id']), `/v1/${task.type}s/${task.task_id}`);
  wake();
  return 204;
}

/** Returns the body bytes as received, because the signature covers exactly these; null if there are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Verifies signature and age with the official library; null if no secret matches. */
function verify(body: Buffer, headers: Record<string, string>): WebhookEvent | null {
  for (const verifier of verifiers) {
    try {
      return verifier.verify(body, headers) as WebhookEvent;
    } catch {
      // The next secret may match.
    }
  }
  return null;
}

let work = Promise.resolve();
function wake(): void {
  work = work.then(workOff);
}
setInterval(wake, LOOK_EVERY_MS);
wake();

/** Handles all open events. A failed one stays open and is retried later, also after a restart. */
async function workOff(): Promise<void> {
  for (const row of open.all() as { webhook_id: string; task_path: string }[]) {
    try {
      const task = await fetchTask(row.task_path);
      if (task !== null) await handle(task);
      finish.run(row.webhook_id);
    } catch (error) {
      console.error(row.webhook_id, error);
    }
  }
}

/** Returns the current task with fresh file URLs; null if it was deleted. */
async function fetchTask(path: string): Promise<Task | null> {
  const response = await fetch(`${DARKROOM_URL}${path}`, { headers: { authorization: `Bearer ${DARKROOM_API_KEY}` } });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`GET ${path} was answered ${response.status}`);
  return ((await response.json()) as { data: Task }).data;
}

/**
 * Put your own work here. Store the id in the same database transaction as the work, so that a crash cannot do it
 * twice.
 */
async function handle(task: Task): Promise<void> {
  console.log('handled', task.task_id, task.status);
}
