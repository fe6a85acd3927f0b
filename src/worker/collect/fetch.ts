import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DeliveredOutput } from '@darkroom-service/engines';
import { temporaryPath } from '@darkroom-service/media';
import { HEAD_BYTES, isTiff, readHead, recognize } from '@darkroom-service/media/structure';
import type { TaskRecord } from '../../record/task-record.ts';
import type { WorkerServices } from '../worker-services.ts';
import { assertNoPage } from './download.ts';

/** A delivered output on its way into our storage. */
export interface Collecting {
  readonly work: WorkerServices;
  readonly task: TaskRecord;
  readonly output: DeliveredOutput;
  readonly index: number;
  /** Number of times that the result was collected, including this one. */
  readonly collections: number;
  readonly signal: AbortSignal;
}

/** A delivered file that was fetched. */
export type Fetched =
  /** A picture. Its bytes may be read more than once, each time from the beginning. */
  | { readonly contentType: string; readonly open: () => Promise<Uint8Array | Readable> }
  /** Any other file, on a disk. */
  | { readonly contentType: null; readonly path: string };

/**
 * Fetches a delivered output from memory, from a disk or from its URL, without the texts that its engine wants dropped.
 * A TIFF becomes a PNG, and an output that is no picture becomes a file.
 * @param files removes files that this makes
 * @throws MediaFault, OutputFault; FetchFault if a download breaks off
 */
export async function fetchOutput(collecting: Collecting, files: AsyncDisposableStack): Promise<Fetched> {
  const { work, task, output, signal } = collecting;
  const { source, dropText } = output;
  const call = { owner: task.api_key_id, signal };
  let path: string;
  if ('path' in source) path = source.path;
  else {
    const { bytes, head } =
      'data' in source ? { bytes: source.data, head: source.data.subarray(0, HEAD_BYTES) } : await download(collecting);
    const format = dropText === true ? null : recognize(Buffer.from(head));
    if (format?.picture === true) {
      let isRead = false;
      const open = async () => {
        if (isRead && bytes instanceof Readable) return (await download(collecting)).bytes;
        isRead = true;
        return bytes;
      };
      return { contentType: format.contentType, open };
    }
    path = await temporaryFile(collecting, files);
    await (bytes instanceof Readable ? pipeline(bytes, createWriteStream(path), { signal }) : writeFile(path, bytes));
  }
  if (dropText === true) {
    const given = path;
    // A file that the engine keeps stays as it is: after a crash its digest is checked.
    path = await temporaryFile(collecting, files);
    await work.services.media.dropText(given, path, call);
  }
  const head = await readHead(path);
  const format = recognize(head);
  if (format?.picture === true) return { contentType: format.contentType, open: async () => createReadStream(path) };
  if (!isTiff(head)) return { contentType: null, path };
  const png = await work.services.media.edit('convertTiff', [path], call);
  return { contentType: 'image/png', open: async () => png };
}

/** Begins to download a delivered URL. @returns the first bytes as well, which are also among all bytes */
async function download({
  work,
  output: { source },
  signal,
}: Collecting): Promise<{ readonly bytes: Readable; readonly head: Uint8Array }> {
  if (!('url' in source)) throw new Error('only what lies at a URL is downloaded');
  const { url, headers = {}, allowOrigins = [] } = source;
  const file = await work.fetchOutput(url, { headers, allowOrigins, signal });
  const pieces = file[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = (await pieces.next()) as IteratorResult<Buffer>;
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  try {
    assertNoPage(head);
  } catch (error) {
    file.destroy();
    throw error;
  }
  const all = async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  const bytes = Readable.from(all(), { objectMode: false });
  // A generator that was never read ends without ending what it reads.
  bytes.once('close', () => file.destroy());
  return { bytes, head };
}

/** Returns a path for a file that is removed with the stack. */
export async function temporaryFile({ work }: Collecting, files: AsyncDisposableStack): Promise<string> {
  const path = await temporaryPath(work.services.settings.temporaryDirectory);
  files.defer(() => rm(path, { force: true }));
  return path;
}
