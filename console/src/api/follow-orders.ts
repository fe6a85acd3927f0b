import type { TaskView as Task } from '@darkroom-service/contract';
import { ApiError } from './api-error.ts';
import { openEvents } from './client.ts';
import { endOrderOf, ordersOf, removeOrder, subscribeToBook, tabId } from './order-book.ts';
import { type Mode, sessionStore } from './session.ts';
import { shownTasks, subscribeToShownTasks } from './shown-tasks.ts';
import { cachedTask, fetchTask, isFinal, rememberTask } from './task-cache.ts';
import { readTaskListsAgain } from './task-lists.ts';
import { until } from './until.ts';
import { onWake } from './wake.ts';
import { withLock } from './web-lock.ts';

/** Maximum number of tasks of one stream. */
const MOST_TASKS = 50;
/** Timeout of the first event, in milliseconds. It comes at once, unless a proxy holds the stream back. */
const FIRST_EVENT_MS = 5_000;
const STALE_MS = 20_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;

/** A key of the session, and its name among the tabs, without the secret. */
interface Owner {
  readonly mode: Mode;
  readonly secret: string;
  readonly name: string;
}

/**
 * Follows all open orders until stopped. For each key, one tab of the browser reads one event stream and notifies the
 * others.
 */
export function followOrders(): () => void {
  const followed = new Map<string, AbortController>();
  const adapt = () => {
    const owners = ownersOf(sessionStore.get().keys);
    for (const [secret, stopped] of followed) {
      if (owners.some((owner) => owner.secret === secret)) continue;
      stopped.abort();
      followed.delete(secret);
    }
    for (const owner of owners) {
      if (followed.has(owner.secret)) continue;
      const stopped = new AbortController();
      followed.set(owner.secret, stopped);
      follow(owner, stopped.signal);
    }
  };
  adapt();
  const unsubscribe = sessionStore.subscribe(adapt);
  return () => {
    unsubscribe();
    for (const stopped of followed.values()) stopped.abort();
  };
}

function ownersOf(keys: Readonly<Partial<Record<string, string>>>): Owner[] {
  return (['test', 'live'] as const).flatMap((mode) => {
    const secret = keys[mode];
    return secret === undefined ? [] : [{ mode, secret, name: `${mode} ${secret.slice(-8)}` }];
  });
}

function follow(owner: Owner, signal: AbortSignal): void {
  /** Tasks that the other tabs show, by tab. */
  const others = new Map<string, readonly string[]>();
  const gone = new Set<string>();
  const changes = new EventTarget();
  const changed = () => void changes.dispatchEvent(new Event('change'));
  const tellShown = (shows = shownTasks(owner.secret)) => notifyTabs({ owner: owner.name, tab: tabId(), shows });
  const stops = [
    subscribeToBook(changed),
    subscribeToShownTasks(() => {
      tellShown();
      changed();
    }),
    onTabMessage((message) => {
      if (message.owner !== owner.name) return;
      if ('task' in message) learn(message.task, owner);
      else if ('shows' in message) {
        others.set(message.tab, message.shows);
        changed();
      } else tellShown();
    }),
    onWake(changed),
  ];
  const leave = () => tellShown([]);
  window.addEventListener('pagehide', leave);
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop();
    window.removeEventListener('pagehide', leave);
    leave();
  });
  const wanted = () => {
    const booked = ordersOf(owner.mode, owner.secret).filter(
      ({ state, endedAt }) => state === 'placed' && endedAt === null,
    );
    // A tab may not know yet that a task has ended.
    const shown = [...shownTasks(owner.secret), ...[...others.values()].flat()].filter((id) => {
      const task = cachedTask(id, owner.secret);
      return task === undefined || !isFinal(task);
    });
    // A batch has no task of its own.
    const ids = [...shown, ...booked.flatMap(({ taskId }) => taskId ?? [])];
    return [...new Set(ids)].filter((id) => !gone.has(id)).slice(0, MOST_TASKS);
  };
  void withLock(`darkroom.follow ${owner.name}`, () => lead(owner, { wanted, changes, gone }, signal), signal).catch(
    () => undefined,
  );
}

interface Wishes {
  readonly wanted: () => readonly string[];
  readonly changes: EventTarget;
  /** Ids of deleted tasks, for which a stream would be refused. */
  readonly gone: Set<string>;
}

/** Reads the stream for all tabs. Between two streams it polls the tasks one by one. */
async function lead(owner: Owner, { wanted, changes, gone }: Wishes, signal: AbortSignal): Promise<void> {
  notifyTabs({ owner: owner.name, asksWhatIsShown: true });
  for (let failures = 0; !signal.aborted; ) {
    const ids = wanted();
    if (ids.length === 0) {
      await nextChange(changes, null, signal);
      continue;
    }
    const { hasTold, isOutdated } = await readStream(owner, ids, { wanted, changes }, signal);
    if (isOutdated || signal.aborted) continue;
    failures = hasTold ? 0 : failures + 1;
    const left = wanted().filter((id) => ids.includes(id));
    if (left.length === 0) continue;
    await Promise.all(left.map((id) => readTask(id, owner, gone, signal)));
    await nextChange(changes, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1)), signal);
  }
}

/** Reads one stream to its end, or until more tasks are wanted. */
async function readStream(
  owner: Owner,
  ids: readonly string[],
  { wanted, changes }: Pick<Wishes, 'wanted' | 'changes'>,
  signal: AbortSignal,
): Promise<{ readonly hasTold: boolean; readonly isOutdated: boolean }> {
  const ended = new AbortController();
  let heardAt = Date.now();
  let hasTold = false;
  let isOutdated = false;
  const onChange = () => {
    isOutdated ||= wanted().some((id) => !ids.includes(id));
    // After the computer was suspended, the stream may be dead without an error.
    if (isOutdated || Date.now() - heardAt > STALE_MS) ended.abort();
  };
  changes.addEventListener('change', onChange);
  try {
    const either = AbortSignal.any([ended.signal, signal]);
    const options = { key: owner.secret, signal: either, firstEventMs: FIRST_EVENT_MS };
    for await (const { name, data } of openEvents('GET /v1/events', { query: { tasks: ids.join(',') } }, options)) {
      heardAt = Date.now();
      hasTold = true;
      if (name === 'task' && data !== null) publish(JSON.parse(data) as Task, owner);
    }
  } catch {
    // Interrupted or refused: the tasks are polled one by one, which reveals the reason.
  } finally {
    changes.removeEventListener('change', onChange);
  }
  return { hasTold, isOutdated };
}

async function readTask(taskId: string, owner: Owner, gone: Set<string>, signal: AbortSignal): Promise<void> {
  try {
    publish(await fetchTask(taskId, owner.secret, signal), owner);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) return;
    gone.add(taskId);
    for (const order of ordersOf(owner.mode, owner.secret))
      if (order.taskId === taskId) removeOrder(order.idempotencyKey);
  }
}

function publish(task: Task, owner: Owner): void {
  learn(task, owner);
  if (isFinal(task)) endOrderOf(task.task_id);
  notifyTabs({ owner: owner.name, task });
}

function learn(task: Task, { secret }: Owner): void {
  const known = cachedTask(task.task_id, secret);
  rememberTask(task, secret);
  if (isFinal(task) && (known === undefined || !isFinal(known))) readTaskListsAgain();
}

/** Resolves at the next change, after a given time, or when the signal is aborted. */
async function nextChange(changes: EventTarget, milliseconds: number | null, signal: AbortSignal): Promise<void> {
  const listen = (end: () => void) => {
    changes.addEventListener('change', end);
    return () => changes.removeEventListener('change', end);
  };
  await until(signal, listen, milliseconds);
}

/** Message between the tabs of a browser about the tasks of one key. */
type TaskMessage = { readonly owner: string } & (
  | { readonly task: Task }
  /** Unfinished tasks that a tab shows. */
  | { readonly tab: string; readonly shows: readonly string[] }
  /** Sent by a tab that has begun to follow tasks for all tabs. */
  | { readonly asksWhatIsShown: true }
);

const channel = new BroadcastChannel('darkroom.tasks');

/** Sends a message to all other tabs. */
function notifyTabs(message: TaskMessage): void {
  channel.postMessage(message);
}

function onTabMessage(listener: (message: TaskMessage) => void): () => void {
  const receive = ({ data }: MessageEvent<TaskMessage>) => listener(data);
  channel.addEventListener('message', receive);
  return () => channel.removeEventListener('message', receive);
}
