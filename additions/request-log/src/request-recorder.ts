import { world } from '@darkroom-service/contract';
import type { Log, Store } from '@darkroom-service/darkroom/kernel';
import { insertRequests, type RequestRow } from './insert-requests.ts';
import { KEPT_OF_KEY } from './trim-requests.ts';

/** A request with a key, once it is answered. */
export type AnsweredRequest = Omit<RequestRow, 'id' | 'answered_at'>;

/** Remembers answered requests, and writes them in groups: no request waits for it or fails because of it. */
export interface RequestRecorder {
  /** Keeps a request, or counts it as dropped if there is no room. */
  record(request: AnsweredRequest): void;
  /** Writes the remaining requests. */
  stop(): Promise<void>;
}

interface RequestRecorderOptions {
  readonly store: Pick<Store, 'createId' | 'kind' | 'write'>;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly figures: RequestFigures;
}

/** Counts the recorded and the dropped requests. */
export interface RequestFigures {
  written(requests: number): void;
  dropped(requests: number): void;
}

const EVERY_MS = 1_000;
const MOST_WAITING = 8_000;
/** Maximum number of requests written together, so few that a group of other writes is not delayed noticeably. */
const WRITTEN_TOGETHER = 250;
const REPORT_EVERY_MS = 60_000;

/** Starts a recorder. The latest requests of a key replace the oldest ones that the log would not keep. */
export function startRequestRecorder(options: RequestRecorderOptions): RequestRecorder {
  const { store, now, log, figures } = options;
  /** Rows of each key, the oldest first. */
  const waitingOf = new Map<string, RequestRow[]>();
  let waiting = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let unreported = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;

  function drop(requests: number): void {
    unreported += requests;
    figures.dropped(requests);
  }

  function reportDropped(): void {
    if (unreported === 0 || world.monotonic() - reportedAt < REPORT_EVERY_MS) return;
    log.warn({ requests: unreported }, 'request log entries dropped');
    [unreported, reportedAt] = [0, world.monotonic()];
  }

  function schedule(): void {
    timer ??= world
      .setTimeout(() => {
        timer = null;
        writing ??= write().finally(() => {
          writing = null;
          if (waiting > 0) schedule();
        });
      }, EVERY_MS)
      .unref();
  }

  function keep(row: RequestRow): void {
    const rows = waitingOf.get(row.api_key_id) ?? [];
    if (rows.length >= KEPT_OF_KEY) {
      rows.shift();
      waiting--;
    }
    if (waiting >= MOST_WAITING) drop(1);
    else {
      rows.push(row);
      waiting++;
      waitingOf.set(row.api_key_id, rows);
    }
  }

  function takeAll(): RequestRow[] {
    const rows = [...waitingOf.values()].flat();
    waitingOf.clear();
    return rows;
  }

  async function write(): Promise<void> {
    reportDropped();
    let rows = takeAll();
    try {
      while (rows.length > 0) {
        const portion = rows.slice(0, WRITTEN_TOGETHER);
        await store.write('request_log', (trx) => insertRequests(trx, store.kind, portion), { together: true });
        rows = rows.slice(portion.length);
        waiting -= portion.length;
        figures.written(portion.length);
      }
    } catch (error) {
      log.warn({ err: error, waiting }, 'could not write the request log; retrying');
      rows.push(...takeAll());
      waiting = 0;
      for (const row of rows) keep(row);
    }
  }

  return {
    record(request) {
      keep({ id: store.createId('rql'), ...request, answered_at: now() });
      schedule();
    },
    async stop() {
      if (timer !== null) world.clearTimeout(timer);
      await writing;
      await write();
      if (timer !== null) world.clearTimeout(timer);
      drop(waiting);
      reportedAt = Number.NEGATIVE_INFINITY;
      reportDropped();
    },
  };
}
