import {
  type ApiClient,
  clientOfEnvironment,
  isRetryable,
} from '@darkroom-service/addition-common/commands/api-client';
import { sleep, type TaskView } from '@darkroom-service/contract';
import {
  type CommandFault,
  inform,
  type OutputOptions,
  parseKey,
  print,
  printJson,
  usageFault,
  watchInterruption,
} from '@darkroom-service/darkroom/kernel-cli';
import { findEndedTasks, watchEndedTasks } from './ended-tasks.ts';
import { checkReceiver, eventOf, type Forwarded, forwardEvent, readSecrets, type TaskEvent } from './forward-event.ts';

interface ListenOptions extends OutputOptions {
  readonly forwardTo?: string;
  readonly replay?: string;
  readonly wait: boolean;
  readonly printSecret?: boolean;
}

const LOOK_EVERY_MS = 1_000;
/** Maximum number of events forwarded at a time, as many as the service sends to one account. */
const AT_ONCE = 8;

/**
 * Shows and forwards events until Ctrl-C, or until the replay ends. The exit code is 1 if one of a replay is not
 * accepted.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const client = clientOfEnvironment();
  if (options.printSecret) return print((await readSecrets(client))[0].secret);
  if (options.forwardTo !== undefined) checkReceiver(options.forwardTo);
  if (!options.wait && options.replay === undefined) throw usageFault('--no-wait needs --replay.');
  const isDelivered = await listenForEvents(client, options);
  if (!isDelivered && !options.wait) process.exitCode = 1;
}

/** @returns whether the receiver accepted every event. */
async function listenForEvents(client: ApiClient, options: ListenOptions): Promise<boolean> {
  const { signal, release } = watchInterruption();
  let isDelivered = true;
  const report = async (tasks: readonly TaskView[]) => {
    for (let from = 0; from < tasks.length && !signal.aborted; from += AT_ONCE) {
      const batch = tasks.slice(from, from + AT_ONCE).map(eventOf);
      const results = await Promise.all(batch.map((event) => handle(client, event, options)));
      isDelivered &&= results.every((accepted) => accepted);
    }
  };
  try {
    // Watching starts first, so that no event falls between the replay and the watching.
    const ended = options.wait ? await watchEndedTasks(client) : null;
    await describe(client, options);
    const replayed = options.replay === undefined ? [] : await findEndedTasks(client, options.replay);
    await report(replayed);
    if (options.replay !== undefined && replayed.length === 0) inform(options, 'There are no events to repeat.');
    const known = new Set(replayed.map((task) => task.task_id));
    for (let isAway = false; ended !== null && !signal.aborted; ) {
      await sleep(LOOK_EVERY_MS, { signal }).catch(() => {});
      if (signal.aborted) break;
      try {
        await report((await ended.poll()).filter((task) => !known.has(task.task_id)));
        isAway = false;
      } catch (error) {
        if (!isRetryable(error)) throw error;
        if (!isAway) inform(options, `${(error as CommandFault).message}\nTrying again until it answers.`);
        isAway = true;
      }
    }
    return isDelivered;
  } finally {
    release();
  }
}

/** Describes the mode of operation, and the secret with which a receiver verifies the events. */
async function describe(client: ApiClient, options: ListenOptions): Promise<void> {
  if (options.wait) inform(options, "Waiting for events of this key's tasks. Press Ctrl-C to end.");
  if (options.forwardTo === undefined) return;
  const [{ secret }] = await readSecrets(client);
  const isTest = parseKey(client.apiKey ?? '')?.mode === 'test';
  const which = isTest ? secret : 'the live secret, which darkroom listen --print-secret prints';
  inform(options, `Forwarding to ${options.forwardTo}, signed with ${which}`);
}

/** Forwards and shows an event. @returns whether the receiver accepted it. */
async function handle(client: ApiClient, event: TaskEvent, { forwardTo, json }: ListenOptions): Promise<boolean> {
  // Read for each event, because the secret may be rotated meanwhile.
  const result = forwardTo === undefined ? null : await forwardEvent(forwardTo, event, await readSecrets(client));
  if (json) printJson(documentOf(event, result), 0);
  else print(lineOf(event, result));
  return result === null || result.error === null;
}

function documentOf({ id, type, task }: TaskEvent, result: Forwarded | null): object {
  const forwarded =
    result === null ? null : { status: result.status, error: result.error, duration_ms: result.durationMs };
  return { webhook_id: id, type, data: task, forwarded };
}

function lineOf({ type, task }: TaskEvent, result: Forwarded | null): string {
  const time = (task.completed_at ?? '').slice(11, 19);
  const outcome = result === null ? '' : `  ${result.error ?? `${result.status} in ${result.durationMs} ms`}`;
  return `${time}  ${type}  ${task.task_id}${outcome}`;
}
