import { AbortError, ApiError, DarkroomError, DownloadError, type OrderFacts } from './errors.ts';
import { chunksOf } from './server-events.ts';
import { streamOf } from './stream-of.ts';
import type { CallOptions, Transport } from './transport.ts';
import { batchPath } from './watch-batch.ts';

/** A part of an archive that takes longer to arrive ends the download. */
const SILENCE_MS = 60_000;

/**
 * The outputs of a batch that exist when it is read, as one ZIP archive. Nothing is requested before; each reading
 * starts anew.
 */
export class BatchArchive {
  readonly batchId: string;
  readonly #transport: Transport;
  readonly #options: CallOptions;
  readonly #facts: OrderFacts;

  constructor(transport: Transport, batchId: string, options: CallOptions = {}) {
    this.batchId = batchId;
    this.#transport = transport;
    this.#options = options;
    this.#facts = { batchId };
  }

  /** Reads the archive as a stream, with one part in memory. */
  stream(): ReadableStream<Uint8Array> {
    return streamOf(this.chunks());
  }

  /** Saves the archive under a path, completely or not at all; an existing file is replaced. Not in browsers. */
  async save(path: string): Promise<void> {
    const { saveChunks } = await import('#local-files');
    try {
      await saveChunks(path, this.chunks());
    } catch (error) {
      throw error instanceof DarkroomError ? error : this.#downloadError(error);
    }
  }

  /**
   * Yields the parts of the archive. One that breaks off cannot be continued.
   * @throws DownloadError, ApiError, AbortError
   */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const { signal } = this.#options;
    const path = `${batchPath(this.batchId)}/results`;
    const call = { ...this.#options, path, query: { format: 'zip' }, facts: this.#facts };
    const { response, link } = await this.#transport.open(call).catch((error: unknown) => {
      if (error instanceof ApiError || error instanceof AbortError) throw error;
      throw this.#downloadError(error);
    });
    try {
      link.limit(SILENCE_MS);
      for await (const chunk of chunksOf(response.body)) {
        link.limit(SILENCE_MS);
        yield chunk;
      }
    } catch (error) {
      if (signal?.aborted !== true) throw this.#downloadError(error);
      const message = `The download of ${this.batchId} was aborted. ${ADVICE}`;
      throw new AbortError('aborted', message, this.#facts, error);
    } finally {
      link.abort();
      link.release();
    }
  }

  #downloadError(cause: unknown): DownloadError {
    const why = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
    const message = `The archive of ${this.batchId} was not downloaded: ${why}. ${ADVICE}`;
    return new DownloadError('download_failed', message, this.#facts, cause);
  }
}

const ADVICE = 'Download it again; do not order it again.';
