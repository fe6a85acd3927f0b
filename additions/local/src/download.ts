import { AnswerFault } from './answer-fault.ts';
import { LocalFault } from './local-fault.ts';
import { openPart, type PartFile, removePart, type Segment } from './part-file.ts';
import type { RemoteFile } from './remote-file.ts';
import { createRetry } from './retry.ts';
import type { OnWait } from './transport.ts';

interface DownloadOptions {
  readonly remote: RemoteFile;
  /** Name of the file in messages. */
  readonly name: string;
  readonly part: string;
  /** Number of concurrent requests. */
  readonly connections: number;
  /** Called with the number of arrived bytes; negative if they must be loaded again. */
  readonly onBytes: (count: number) => void;
  readonly signal: AbortSignal;
  /** First pause after a failure, in milliseconds; it doubles with each further one. */
  readonly pauseMs: number;
  readonly onWait?: OnWait;
}

/**
 * Loads the missing bytes of a file into its part. Retries failed connections where they stopped.
 * @throws LocalFault if the host refuses or fails too often; the part is kept, unless the file has changed.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { remote, part: path, signal } = options;
  const part = await openPart(path, remote.facts.bytes);
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  try {
    const open = remote.facts.hasRanges ? part.segments.filter((one) => !part.isDone(one)) : [wholeOf(part)];
    const workers = Array.from({ length: Math.min(options.connections, open.length) }, async () => {
      for (let next = open.shift(); next !== undefined; next = open.shift())
        await loadSegment(part, next, { ...options, signal: both });
    });
    await Promise.all(workers).catch(async (error: unknown) => {
      stop.abort(error);
      await Promise.allSettled(workers);
      throw error;
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AnswerFault && error.kind === 'changed')) throw error;
    await removePart(path);
    throw new LocalFault(`${options.name} changed during the download: ${error.message}. Run the command again.`);
  } finally {
    await part.close();
  }
}

async function loadSegment(part: PartFile, segment: Segment, options: DownloadOptions): Promise<void> {
  const { remote, onBytes } = options;
  const retry = createRetry(options);
  for (let at = segment.start; at < segment.end; ) {
    const begun = at;
    try {
      for await (const chunk of await remote.open(at, segment.end, options.signal)) {
        const bytes = chunk as Uint8Array;
        if (at + bytes.length > segment.end) throw new AnswerFault('retry', 'the host sent more than was asked for');
        await part.write(bytes, at);
        at += bytes.length;
        onBytes(bytes.length);
      }
      if (at < segment.end) throw new AnswerFault('retry', 'the host closed the connection early');
    } catch (error) {
      const kept = remote.facts.hasRanges ? at : segment.start;
      onBytes(kept - at);
      at = kept;
      await retry(error, kept > begun);
    }
  }
  if (remote.facts.hasRanges) await part.finish(segment);
}

function wholeOf({ segments }: PartFile): Segment {
  return { index: 0, start: 0, end: segments.at(-1)?.end ?? 0 };
}
