import { openEvents } from './client.ts';
import { untilAnswering } from './connection.ts';
import { until } from './until.ts';
import { queryClient } from './use-api.ts';

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
/** Operations that the events named `changed` concern; other lists change only by the page's own requests. */
const CHANGED =
  /^GET \/(readyz|admin\/v1\/(alerts|engines|failures|reconciliation|costs|tasks|webhooks|audit|processes))\b/;
/** Operations that the events named `local` concern. */
const LOCAL = /^GET \/admin\/v1\/local\b/;

/** Refetches the operations' data on this page when it has changed, until stopped. Idle while the page is hidden. */
export function followChanges(adminKey: string): () => void {
  const stopped = new AbortController();
  void follow(adminKey, stopped.signal);
  return () => stopped.abort();
}

async function follow(key: string, stopped: AbortSignal): Promise<void> {
  const readChanged = readerOf(CHANGED);
  const readLocal = readerOf(LOCAL);
  for (let pauseMs = FIRST_PAUSE_MS; !stopped.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    await untilVisible(stopped);
    const hasTold = await readStream(key, stopped, (name) => {
      if (name === 'local') readLocal();
      // Also after the first event of a stream: the page's data was read before the stream began.
      if (name === 'changed') readChanged();
    });
    if (hasTold) pauseMs = FIRST_PAUSE_MS / 2;
    if (stopped.aborted || document.hidden) continue;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await untilAnswering();
  }
}

/** @returns whether any event came */
async function readStream(key: string, stopped: AbortSignal, onEvent: (name: string) => void): Promise<boolean> {
  const ended = new AbortController();
  const whenHidden = () => {
    if (document.hidden) ended.abort();
  };
  document.addEventListener('visibilitychange', whenHidden);
  let hasTold = false;
  try {
    const signal = AbortSignal.any([ended.signal, stopped]);
    for await (const { name } of openEvents('GET /admin/v1/events', {}, { key, signal })) {
      hasTold = true;
      onEvent(name);
    }
  } catch {
    // Interrupted or refused: reopened after a pause.
  } finally {
    document.removeEventListener('visibilitychange', whenHidden);
  }
  return hasTold;
}

/** Tells whether a request is a search, which reads too many orders to be repeated for each change of one. */
function isSearch(request: unknown): boolean {
  return (request as { readonly query?: { readonly search?: string } } | undefined)?.query?.search !== undefined;
}

/** Refetches operations, one run at a time: otherwise the next event would abort a slow answer. */
function readerOf(operations: RegExp): () => void {
  let isReading = false;
  let isDue = false;
  return function read() {
    isDue = isReading;
    if (isReading) return;
    isReading = true;
    const predicate = ({ queryKey: [operation, , request] }: { readonly queryKey: readonly unknown[] }) =>
      operations.test(String(operation)) && !isSearch(request);
    void queryClient.invalidateQueries({ predicate }).finally(() => {
      isReading = false;
      if (isDue) read();
    });
  };
}

async function untilVisible(stopped: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  await until(stopped, (end) => {
    document.addEventListener('visibilitychange', end);
    return () => document.removeEventListener('visibilitychange', end);
  });
}
