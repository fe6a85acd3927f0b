import { openEvents } from './client.ts';
import { untilAnswering } from './connection.ts';
import { queryClient } from './use-api.ts';

/** The first event comes at once, and a heartbeat every 15 seconds. */
const FIRST_EVENT_MS = 10_000;
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
/** What the events tell of; other lists change only by what a page does itself. */
const CHANGING = /^GET \/admin\/v1\/(alerts|engines|failures|reconciliation|costs|tasks|webhooks|audit)\b/;

/** Reads what this page shows of the operations again when it has changed, until stopped. Idle while nobody looks. */
export function followChanges(adminKey: string): () => void {
  const stopped = new AbortController();
  void follow(adminKey, stopped.signal);
  return () => stopped.abort();
}

async function follow(key: string, stopped: AbortSignal): Promise<void> {
  let isFirst = true;
  for (let pauseMs = FIRST_PAUSE_MS; !stopped.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    await untilVisible(stopped);
    const hasTold = await readStream(key, stopped, () => {
      // What is shown was read a moment before the first stream began.
      if (!isFirst) readAgain();
      isFirst = false;
    });
    if (hasTold) pauseMs = FIRST_PAUSE_MS / 2;
    if (stopped.aborted || document.hidden) continue;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await untilAnswering();
  }
}

/** @returns whether any event came */
async function readStream(key: string, stopped: AbortSignal, onChange: () => void): Promise<boolean> {
  const ended = new AbortController();
  const whenHidden = () => {
    if (document.hidden) ended.abort();
  };
  document.addEventListener('visibilitychange', whenHidden);
  let timer = setTimeout(() => ended.abort(), FIRST_EVENT_MS);
  let hasTold = false;
  try {
    const signal = AbortSignal.any([ended.signal, stopped]);
    for await (const { name } of openEvents('/admin/v1/events', {}, { key, signal })) {
      clearTimeout(timer);
      timer = setTimeout(() => ended.abort(), SILENCE_MS);
      hasTold = true;
      if (name === 'changed') onChange();
    }
  } catch {
    // Cut off or refused: opened again after a pause.
  } finally {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', whenHidden);
  }
  return hasTold;
}

function readAgain(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [operation] }) => CHANGING.test(String(operation)) });
}

async function untilVisible(stopped: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      document.removeEventListener('visibilitychange', end);
      stopped.removeEventListener('abort', end);
      resolve();
    };
    document.addEventListener('visibilitychange', end);
    stopped.addEventListener('abort', end);
  });
}
