import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { signEvent } from '@darkroom-service/addition-common/sending/sign-event';
import { type TaskView, world } from '@darkroom-service/contract';
import { usageFault } from '@darkroom-service/darkroom/kernel-cli';

/** A webhook event of a task that ended. */
export interface TaskEvent {
  readonly id: string;
  readonly type: string;
  readonly task: TaskView;
}

/** The outcome of an event that was forwarded. */
export interface Forwarded {
  /** The receiver's HTTP status; null if it did not answer. */
  readonly status: number | null;
  /** The reason of a refusal; null if the receiver accepted the event. */
  readonly error: string | null;
  readonly durationMs: number;
}

interface Secret {
  readonly secret: string;
}

/** Timeout in milliseconds, as for webhooks. */
const TIMEOUT_MS = 10_000;

/** Returns the event of a task. Its id is the same each time, so that a receiver can detect repeats. */
export function eventOf(task: TaskView): TaskEvent {
  return { id: `whd_${task.task_id.slice('img_'.length)}`, type: `task.${task.status}`, task };
}

/** Reads the secrets that sign the events of this key's mode, the current one first. */
export async function readSecrets(client: ApiClient): Promise<readonly [Secret, ...Secret[]]> {
  return (await client.get<{ items: [Secret, ...Secret[]] }>('/v1/account/webhooks/secret')).items;
}

/** Sends an event to a receiver, with the same body, headers and signatures as a webhook. */
export async function forwardEvent(url: string, event: TaskEvent, secrets: readonly Secret[]): Promise<Forwarded> {
  const timestamp = new Date(world.now());
  const body = JSON.stringify({ type: event.type, timestamp: timestamp.toISOString(), data: event.task });
  const began = world.monotonic();
  const ended = (status: number | null, error: string | null) => ({
    status,
    error,
    durationMs: Math.round(world.monotonic() - began),
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signEvent(secrets, { id: event.id, timestamp, body }),
      body,
      redirect: 'manual',
      signal: world.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return ended(response.status, response.ok ? null : `The receiver answered ${response.status}; expected 2xx.`);
  } catch (error) {
    return ended(null, reasonOf(error));
  }
}

/** Checks the URL of a receiver. @throws CommandFault */
export function checkReceiver(url: string): string {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw usageFault(`--forward-to: expected a URL such as http://localhost:3000/hooks, found '${url}'`);
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The receiver did not answer within ${TIMEOUT_MS / 1000} s.`;
  const { code, message } = (error as { cause?: { code?: string; message?: string } }).cause ?? {};
  if (code === 'ECONNREFUSED') return 'Nothing listens there.';
  return `The connection broke: ${message || code || String(error)}.`;
}
