import { AbortError, ApiError, DarkroomError, DownloadError, type OrderFacts } from './errors.ts';
import type { Task } from './generated/interface.ts';
import { backOff, pause } from './pause.ts';
import { chunksOf } from './server-events.ts';
import { streamOf } from './stream-of.ts';
import { taskPath } from './task-path.ts';
import type { CallOptions, OpenResponse, Transport } from './transport.ts';

export interface ContentOptions extends CallOptions {
  /** `thumbnail`: a small image. `preview`: an animation, of videos only. */
  readonly variant?: 'thumbnail' | 'preview' | undefined;
}

/** A part of a file that takes longer to arrive is fetched again. */
const SILENCE_MS = 60_000;
/** Interruptions in a row without a byte in between. */
const MAX_BREAKS = 5;

/** The output of a finished task. Nothing is requested before it is read; each reading starts anew. */
export class Content {
  readonly taskId: string;
  readonly #transport: Transport;
  readonly #options: ContentOptions;
  readonly #facts: OrderFacts;

  constructor(transport: Transport, taskId: string, options: ContentOptions = {}, facts: OrderFacts = {}) {
    this.taskId = taskId;
    this.#transport = transport;
    this.#options = options;
    this.#facts = { ...facts, taskId };
  }

  /** Reads the file as a stream. A download that breaks off continues where it stopped. */
  stream(): ReadableStream<Uint8Array> {
    return streamOf(this.chunks());
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await (await this.blob()).arrayBuffer());
  }

  async blob(): Promise<Blob> {
    const parts: Uint8Array[] = [];
    let type = '';
    for await (const chunk of this.chunks((contentType) => (type = contentType))) parts.push(chunk);
    return new Blob(parts as Uint8Array<ArrayBuffer>[], { type });
  }

  /** Saves the file under a path, completely or not at all; an existing file is replaced. Not in browsers. */
  async save(path: string): Promise<void> {
    const { saveChunks } = await import('#local-files');
    try {
      await saveChunks(path, this.chunks());
    } catch (error) {
      throw error instanceof DarkroomError ? error : this.#downloadError(error);
    }
  }

  /** Yields the parts of the file. @throws DownloadError, ApiError, AbortError */
  async *chunks(onType?: (contentType: string) => void): AsyncGenerator<Uint8Array> {
    const { signal } = this.#options;
    let received = 0;
    let etag: string | null = null;
    let total: number | null = null;
    for (let breaks = 0; ; breaks++) {
      if (breaks > 0)
        await pause(backOff(breaks - 1), signal).catch((error: unknown) => {
          throw this.#aborted(error);
        });
      const { response, link } = await this.#open(received, etag);
      if (received === 0) {
        etag = response.headers.get('etag');
        total = lengthOf(response);
        onType?.(response.headers.get('content-type') ?? '');
      }
      try {
        link.limit(SILENCE_MS);
        for await (const chunk of chunksOf(response.body)) {
          link.limit(SILENCE_MS);
          received += chunk.length;
          breaks = 0;
          yield chunk;
        }
        if (total === null || received === total) return;
        throw new Error(`${received} of ${total} bytes arrived`);
      } catch (error) {
        if (signal?.aborted === true) throw this.#aborted(signal.reason);
        // Without a validator nobody knows whether the rest belongs to the same file.
        if (breaks >= MAX_BREAKS || etag === null) throw this.#downloadError(error);
      } finally {
        link.abort();
        link.release();
      }
    }
  }

  async #open(received: number, etag: string | null): Promise<OpenResponse> {
    const { variant, ...options } = this.#options;
    const opened = await this.#transport
      .open({
        ...options,
        path: `${taskPath(this.taskId)}/content`,
        query: { variant },
        headers: received === 0 || etag === null ? {} : { range: `bytes=${received}-`, 'if-range': etag },
        facts: this.#facts,
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError || error instanceof AbortError) throw error;
        throw this.#downloadError(error);
      });
    if (received === 0 || opened.response.status === 206) return opened;
    opened.link.abort();
    opened.link.release();
    throw this.#downloadError(new Error('the file changed during the download'));
  }

  #downloadError(cause: unknown): DownloadError {
    const why = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
    const task = this.#facts.task ?? null;
    const message = `The output of ${this.taskId} was not downloaded: ${why}. ${chargeOf(task)}Download it again; do not order it again.`;
    return new DownloadError('download_failed', message, this.#facts, cause);
  }

  #aborted(reason: unknown): DarkroomError {
    if (reason instanceof DarkroomError) return reason;
    const message = `The download of ${this.taskId} was aborted. ${chargeOf(this.#facts.task ?? null)}Download it again; do not order it again.`;
    return new AbortError('aborted', message, this.#facts, reason);
  }
}

function chargeOf(task: Task | null): string {
  if (task === null || task.cost.state !== 'charged') return '';
  return `${task.cost.amount} ${task.cost.currency} was charged; the file is kept until ${task.expires_at}. `;
}

/** Null where the transfer was compressed, because the length is then not that of the file. */
function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? null : Number(length);
}
