import { world } from '@darkroom-service/contract';
import type { Database, Log } from '../../kernel.ts';
import { insertRequests, type RequestRow } from './insert-requests.ts';

/** A request with a key, once it is answered. */
export type AnsweredRequest = Omit<RequestRow, 'id' | 'answered_at'>;

/** Remembers answered requests, and writes them in groups: no request waits for it or fails because of it. */
export interface RequestRecorder {
  /**
   * Tells whether there is room for a request of this key. If not, counts it as dropped: while thousands a second are
   * dropped, none of them is described.
   */
  admits(keyId: string, status: number | null): boolean;
  /** Keeps a request that was admitted. */
  record(request: AnsweredRequest): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

interface RequestRecorderOptions {
  readonly database: Pick<Database, 'kind' | 'write'>;
  readonly createId: (prefix: string) => string;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly figures: RequestFigures;
}

/** Counts what became of the requests that were to be recorded. */
export interface RequestFigures {
  written(requests: number): void;
  dropped(requests: number): void;
}

const EVERY_MS = 1_000;
const MOST_WAITING = 4_000;
/** One key does not take all the room. */
const MOST_OF_KEY = 1_000;
/** Of a key that sends more in a second, only failures are kept: orders are worth more than a log of some seconds. */
const MOST_SUCCEEDED_OF_KEY = 250;
/** So few that a group of other writes is not delayed noticeably. */
const WRITTEN_TOGETHER = 250;
const TELL_EVERY_MS = 60_000;

export function startRequestRecorder(options: RequestRecorderOptions): RequestRecorder {
  const { database, createId, now, log, figures } = options;
  let waiting: RequestRow[] = [];
  const waitingOf = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  function drop(requests: number): void {
    untold += requests;
    figures.dropped(requests);
  }

  function tellDropped(): void {
    if (untold === 0 || world.monotonic() - toldAt < TELL_EVERY_MS) return;
    log.warn({ requests: untold }, 'request log entries dropped');
    [untold, toldAt] = [0, world.monotonic()];
  }

  function schedule(): void {
    timer ??= world
      .setTimeout(() => {
        timer = null;
        writing ??= write().finally(() => {
          writing = null;
          if (waiting.length > 0) schedule();
        });
      }, EVERY_MS)
      .unref();
  }

  async function write(): Promise<void> {
    tellDropped();
    try {
      for (let left = waiting.length; left > 0; left -= WRITTEN_TOGETHER) {
        const rows = waiting.slice(0, WRITTEN_TOGETHER);
        await database.write('request_log', (trx) => insertRequests(trx, database.kind, rows), { together: true });
        remove(rows);
        figures.written(rows.length);
      }
    } catch (error) {
      log.warn({ err: error, waiting: waiting.length }, 'could not write the request log; retrying');
    }
  }

  function remove(rows: readonly RequestRow[]): void {
    waiting = waiting.slice(rows.length);
    for (const { api_key_id: key } of rows) {
      const left = (waitingOf.get(key) ?? 0) - 1;
      if (left > 0) waitingOf.set(key, left);
      else waitingOf.delete(key);
    }
  }

  return {
    admits(keyId, status) {
      const most = (status ?? 0) >= 400 ? MOST_OF_KEY : MOST_SUCCEEDED_OF_KEY;
      if (waiting.length < MOST_WAITING && (waitingOf.get(keyId) ?? 0) < most) return true;
      drop(1);
      schedule();
      return false;
    },
    record(request) {
      const { api_key_id: key } = request;
      waitingOf.set(key, (waitingOf.get(key) ?? 0) + 1);
      waiting.push({ id: createId('rql'), ...request, answered_at: now() });
      schedule();
    },
    async stop() {
      if (timer !== null) world.clearTimeout(timer);
      await writing;
      await write();
      if (timer !== null) world.clearTimeout(timer);
      drop(waiting.length);
      toldAt = Number.NEGATIVE_INFINITY;
      tellDropped();
    },
  };
}
