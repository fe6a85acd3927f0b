import { Readable } from 'node:stream';
import { isoTime } from '@darkroom-service/contract';
import type { Kernel, TaskRow } from '@darkroom-service/darkroom/kernel';
import { mediaOf, outputsOf } from '@darkroom-service/darkroom/kernel-views';
import { StorageError } from '@darkroom-service/media';
import { makeZip } from 'client-zip';
import type { DataRequest } from './data-requests.ts';
import { rowsOfSubject, rowsOfTasks } from './stored-rows.ts';
import { keysOf, PAGE, rangesOf, selectTasks } from './subject-tasks.ts';
import { unnamedUploadsOf } from './undecided-uploads.ts';

type Parts = Pick<Kernel, 'customers' | 'files' | 'hooks' | 'keys' | 'store' | 'tasks'>;

interface Entry {
  readonly name: string;
  readonly lastModified: Date;
  readonly input: Readable | string | AsyncIterable<Uint8Array>;
}

/** An archive of an export: up to a page of orders with all that belongs to them. */
interface Archive {
  readonly fileName: string;
  /** Position at which the next archive begins; null = this is the last. */
  readonly next: string | null;
  /** Returns a ZIP without compression, since media are compressed already. Files are read as the caller reads. */
  read(): Readable;
}

/**
 * Opens the archive that begins after an order. Nothing of it is stored, so an interrupted one is opened again.
 * @param after `<key>.<type>.<task>`; null = the first one, which also has the data that belong to no order
 */
export async function openArchive(kernel: Parts, request: DataRequest, after: string | null): Promise<Archive> {
  const { read } = kernel.store;
  const keys = await keysOf(read, request.account_id);
  const [afterKey = '', afterType = '', afterTask = ''] = (after ?? '').split('.');
  const ranges = rangesOf(keys).filter(({ keyId, type }) => `${keyId}.${type}` >= `${afterKey}.${afterType}`);
  const tasks: TaskRow[] = [];
  let next: string | null = null;
  for (const range of ranges) {
    const isBegun = range.keyId === afterKey && range.type === afterType;
    const page: TaskRow[] = await read.all(
      selectTasks(read, request, range, 'all')
        .selectAll()
        .where('id', '>', isBegun ? afterTask : '')
        .limit(PAGE - tasks.length + 1),
    );
    tasks.push(...page);
    if (tasks.length <= PAGE) continue;
    tasks.length = PAGE;
    const last = tasks.at(-1);
    next = last === undefined ? null : [last.api_key_id, last.type, last.id].join('.');
    break;
  }
  const part = { number: after === null ? 'first' : afterTask, isFirst: after === null };
  return {
    fileName: `${request.id}-${part.number}.zip`,
    next,
    read: () => Readable.fromWeb(makeZip(entries(kernel, request, keys, tasks, { ...part, after, next }))),
  };
}

async function* entries(
  kernel: Parts,
  request: DataRequest,
  keys: readonly string[],
  tasks: readonly TaskRow[],
  part: { readonly isFirst: boolean; readonly after: string | null; readonly next: string | null },
): AsyncGenerator<Entry> {
  const lastModified = new Date(request.requested_at);
  // Their owner is not known; those that name the end user are among the uploads.
  const undecided = request.end_user === null ? [] : await unnamedUploadsOf(kernel.store.read, tasks);
  const manifest = {
    format: 1,
    export_id: request.id,
    account_id: request.account_id,
    end_user: request.end_user,
    requested_at: isoTime(request.requested_at),
    after: part.after,
    next: part.next,
    orders: tasks.length,
    ...(undecided.length === 0 ? {} : { undecided_uploads: undecided }),
  };
  yield { name: 'manifest.json', lastModified, input: `${JSON.stringify(manifest, null, 2)}\n` };
  const missing = undecided.map((id) => `uploads/${id}`);
  if (part.isFirst)
    for await (const { name, lines } of rowsOfSubject(kernel, request, keys))
      yield { name, lastModified, input: linesOf(lines) };
  for await (const { name, lines } of rowsOfTasks(kernel, request, tasks))
    yield { name, lastModified, input: linesOf(lines) };
  const files = tasks.flatMap(filesOf);
  if (part.isFirst) files.push(...(await uploadsOf(kernel, request, keys)));
  for (const { name, key } of files) {
    const input = await openIfThere(kernel, key);
    if (input === null) missing.push(name);
    else
      try {
        yield { name, lastModified, input };
      } finally {
        // Also if the caller leaves.
        input.destroy();
      }
  }
  if (missing.length > 0) yield { name: 'missing.json', lastModified, input: JSON.stringify(missing) };
}

async function* linesOf(rows: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  for await (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

/** Returns the stored inputs and outputs of an order. Uploads are listed by themselves. */
function filesOf(task: TaskRow): { readonly name: string; readonly key: string }[] {
  const nameOf = (key: string) => key.split('/').at(-1) ?? key;
  const inputs = mediaOf(task).flatMap(({ stored }) => (stored === null ? [] : [stored.key]));
  const keys = [...inputs.filter((key) => key.startsWith('tasks/')), ...outputsOf(task).map(({ key }) => key)];
  return [...new Set(keys)].map((key) => ({ name: `files/${task.id}/${nameOf(key)}`, key }));
}

async function uploadsOf(
  { store: { read } }: Parts,
  request: DataRequest,
  keys: readonly string[],
): Promise<{ readonly name: string; readonly key: string }[]> {
  const found: { readonly name: string; readonly key: string }[] = [];
  for (const keyId of keys) {
    let select = read.builder
      .selectFrom('files')
      .select(['id', 'storage_key'])
      .where('api_key_id', '=', keyId)
      .where('erased_at', 'is', null)
      .where('created_at', '<=', request.requested_at)
      .orderBy('id');
    if (request.end_user !== null) select = select.where('end_user', '=', request.end_user);
    const rows = await read.all(select);
    found.push(...rows.map(({ id, storage_key: key }) => ({ name: `uploads/${id}`, key })));
  }
  return found;
}

async function openIfThere({ files: { storage } }: Parts, key: string): Promise<Readable | null> {
  try {
    return await storage.open(key);
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'not_found') return null;
    throw error;
  }
}
