import type { OrderFacts } from './errors.ts';
import type { Task } from './generated/interface.ts';
import { pause } from './pause.ts';
import { chunksOf, readServerEvents } from './server-events.ts';
import { taskPath } from './task-path.ts';
import type { Transport } from './transport.ts';

/** The first event comes at once. Without it, something in between holds the stream back. */
const FIRST_EVENT_MS = 10_000;
/** The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 40_000;
/** A stream that ended this often before the task did is not opened again. */
const MAX_STREAMS = 4;
const POLL_WAIT_SECONDS = 25;
/** About five minutes: longer than a restart of the service. */
const POLL_RETRIES = 40;

export interface WatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly facts?: OrderFacts | undefined;
}

export function isFinal({ status }: Pick<Task, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/** Yields the task now and after every change, until it is final. Reads events, and polls where they are cut or held back. */
export async function* watchTask(
  transport: Transport,
  taskId: string,
  options: WatchOptions = {},
): AsyncGenerator<Task> {
  let latest: Task | null = null;
  const { signal } = options;
  const now = () => ({ signal, facts: { ...options.facts, taskId, task: latest ?? options.facts?.task } });
  for (let streams = 0; latest === null || !isFinal(latest); streams++) {
    if (streams < MAX_STREAMS) {
      for await (const task of streamTask(transport, taskId, now())) {
        if (latest !== null && task.revision <= latest.revision) continue;
        latest = task;
        yield task;
      }
      if (latest !== null && isFinal(latest)) return;
    }
    const task = await pollTask(transport, taskId, now(), streams >= MAX_STREAMS);
    if (latest !== null && task.revision <= latest.revision) continue;
    latest = task;
    yield task;
  }
}

/** Ends without an error when the stream cannot be opened or breaks off; a poll then shows whether there is more to it. */
async function* streamTask(
  transport: Transport,
  taskId: string,
  { signal, facts }: WatchOptions,
): AsyncGenerator<Task> {
  const opened = await transport
    .open({
      path: `${taskPath(taskId)}/events`,
      headers: { accept: 'text/event-stream' },
      retries: 0,
      responseTimeoutMs: FIRST_EVENT_MS,
      signal,
      facts,
    })
    .catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      return null;
    });
  if (opened === null) return;
  const { response, link } = opened;
  link.limit(FIRST_EVENT_MS);
  try {
    for await (const { name, data } of readServerEvents(chunksOf(response.body))) {
      link.limit(SILENCE_MS);
      if (name === 'task' && data !== null) yield JSON.parse(data) as Task;
    }
  } catch {
    // Broken off: the caller polls. After an abort, so does the poll, which throws the right error.
  } finally {
    link.abort();
    link.release();
  }
}

async function pollTask(
  transport: Transport,
  taskId: string,
  { signal, facts }: WatchOptions,
  waits: boolean,
): Promise<Task> {
  const { data: task, headers } = await transport.send<Task>({
    path: taskPath(taskId),
    headers: waits ? { prefer: `wait=${POLL_WAIT_SECONDS}` } : {},
    retries: POLL_RETRIES,
    responseTimeoutMs: (POLL_WAIT_SECONDS + 20) * 1000,
    signal,
    facts,
  });
  // Without the header the key has too many waiting requests, and this one was answered at once.
  if (waits && !isFinal(task) && !headers.has('preference-applied')) {
    const seconds = Number(headers.get('retry-after') ?? '') || 2;
    // After an abort the next call throws the error that names the task.
    await pause(seconds * 1000, signal).catch(() => undefined);
  }
  return task;
}
