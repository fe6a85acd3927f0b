import { cutText, TASK_ID } from '@darkroom-service/contract';
import type { Selectable } from 'kysely';
import { isOwn, type Owner } from '../accounts/scope.ts';
import type { Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { findByName, orderNameIn, type WaitPolicy } from '../record/batch-siblings.ts';
import {
  type AwaitedOutput,
  isFinal,
  type StoredMedia,
  type StoredOutput,
  type TaskRow,
  taskOfFileKey,
} from '../record/task.ts';
import { outputsOf, requestOf } from '../record/task-json.ts';
import { expectedOf, outputAt, tileSizeOf } from './chosen-output.ts';

/** A file of the caller's that a request refers to: an upload, or the output of one of its tasks. */
type OwnFile =
  | {
      readonly found: true;
      readonly media: StoredMedia & { readonly kind: 'image' | 'video' | 'audio' };
      /** Task that made the output. */
      readonly taskId?: string;
    }
  | {
      readonly found: false;
      readonly message: string;
      /** Whether the task has not ended, so that it may have an output later. */
      readonly isUnfinished?: true;
    }
  /** The output of an unfinished task, or a tile that must be cut out of a grid: the order waits for it. */
  | { readonly found: 'later'; readonly kind: 'image' | 'video'; readonly awaited: AwaitedOutput };

type FileRow = Selectable<Schema['files']>;

const CONTENT = new RegExp(`^/v1/(?:images|videos)/(${TASK_ID})/content$`);

/** Selects the file of a key by its id. */
export const selectFile = prepare<{ id: string; key: string }, FileRow>('own_file', (builder, argument) =>
  builder.selectFrom('files').selectAll().where('id', '=', argument('id')).where('api_key_id', '=', argument('key')),
);

type OutputsRow = Pick<
  TaskRow,
  'type' | 'status' | 'outputs_json' | 'input_json' | 'request_json' | 'route_json' | 'end_user'
>;

const selectOutputs = prepare<{ id: string; key: string }, OutputsRow>('own_outputs', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['type', 'status', 'outputs_json', 'input_json', 'request_json', 'route_json', 'end_user'])
    .where('id', '=', argument('id'))
    .where('api_key_id', '=', argument('key'))
    .where('deleted_at', 'is', null),
);

/**
 * Finds the file of a source such as `upload:<file_id>`, `task:<task_id>`, `task:<task_id>#2` (a tile or an output),
 * `order:<name>` (an output of an earlier order of the batch) or a URL of this service. Null if the source is external
 * and must be fetched.
 * @param addresses the beginnings of URLs of this service
 */
export async function resolveOwnFile(
  session: Session,
  owner: Owner,
  source: string,
  addresses: readonly string[],
  options: WaitPolicy,
): Promise<OwnFile | null> {
  if (source.startsWith('upload:')) return await findUpload(session, owner, source.slice('upload:'.length));
  if (source.startsWith('task:')) {
    const { subject, number } = partsOf(source.slice('task:'.length));
    return await findOutput(session, owner, subject, number, options);
  }
  const named = orderNameIn(source);
  if (named !== null) {
    const { subject, number } = partsOf(named);
    const order = findByName(options.earlier, subject);
    if (typeof order === 'string') return { found: false, message: order };
    return await findOutput(session, owner, order.taskId, number, options);
  }
  const address = addresses.find((one) => source.startsWith(`${one}/`));
  if (address === undefined) return null;
  const path = source.slice(address.length).replace(/[?#].*$/s, '');
  const content = CONTENT.exec(path)?.[1];
  if (content !== undefined) return await findOutput(session, owner, content, null, options);
  if (path.startsWith('/files/')) {
    const key = path.slice('/files/'.length);
    const taskId = taskOfFileKey(key);
    if (taskId !== null) return await findOutput(session, owner, taskId, key, options);
    const fileId = key.slice(key.lastIndexOf('/') + 1);
    if (uploadKey(fileId) === key) return await findUpload(session, owner, fileId);
  }
  return {
    found: false,
    message: 'expected the URL of a file or an output of this service, found another of its URLs',
  };
}

/** Splits `<subject>#<number>`. */
function partsOf(text: string): { readonly subject: string; readonly number: number | null } {
  const [, subject = '', number] = /^(.*?)(?:#([0-9]{1,4}))?$/s.exec(text) ?? [];
  return { subject, number: number === undefined ? null : Number(number) };
}

function reasonWithout(outputs: readonly StoredOutput[]): string {
  return outputs.length === 0
    ? 'its files have expired'
    : 'expected the URL of its output, not of a thumbnail or preview';
}

/** Returns the storage key of an upload. */
export function uploadKey(fileId: string): string {
  return `uploads/${fileId.slice(-2)}/${fileId}`;
}

async function findUpload(session: Session, owner: Owner, fileId: string): Promise<OwnFile> {
  const row = await session.first(selectFile, { id: fileId, key: owner.id });
  if (row === undefined || !isOwn(owner, row))
    return { found: false, message: `this API key has no file '${cutText(fileId, 40)}'` };
  if (row.erased_at !== null) return { found: false, message: `the file ${fileId} has expired; upload it again` };
  return {
    found: true,
    media: {
      key: row.storage_key,
      kind: row.kind,
      contentType: row.content_type,
      bytes: row.bytes,
      width: row.width,
      height: row.height,
      durationSeconds: row.duration_seconds,
      hasAudio: null,
    },
  };
}

/** @param wanted the storage key of an output, or the number of a tile or output; null = the first output */
async function findOutput(
  session: Session,
  owner: Owner,
  taskId: string,
  wanted: string | number | null,
  { waits, earlier }: WaitPolicy,
): Promise<OwnFile> {
  const planned = earlier?.planned(taskId);
  if (planned !== undefined && typeof wanted !== 'string') return awaitOutput(taskId, planned, wanted);
  const row = await session.first(selectOutputs, { id: taskId, key: owner.id });
  if (row === undefined || !isOwn(owner, row))
    return { found: false, message: `this API key has no task '${cutText(taskId, 40)}'` };
  if (!isFinal(row.status)) {
    if (waits && typeof wanted !== 'string') return awaitOutput(taskId, row, wanted);
    const message = `the task ${taskId} is ${row.status}: wait until it succeeds`;
    return { found: false, isUnfinished: true, message };
  }
  const outputs = outputsOf(row);
  const unusable = (reason: string) => ({
    found: false as const,
    message: `the task ${taskId} has no such output: ${reason}`,
  });
  if (row.status !== 'succeeded') return unusable(`it is ${row.status}`);
  if (outputs.length === 0 || typeof wanted === 'string') {
    const output = outputs.find((candidate) => candidate.key === wanted);
    return output === undefined
      ? unusable(reasonWithout(outputs))
      : { found: true, media: { ...output, kind: row.type }, taskId };
  }
  const chosen = outputAt(outputs, wanted);
  if (typeof chosen === 'string') return unusable(chosen);
  const { output, tile } = chosen;
  if (tile === null) return { found: true, media: { ...output, kind: row.type }, taskId };
  const { width, height } = output;
  const expected =
    width === null || height === null ? null : { ...tileSizeOf({ width, height }), durationSeconds: null };
  return { found: 'later', kind: row.type, awaited: { taskId, number: tile, expected } };
}

/** Judges a reference to the output of an unfinished task by the planned properties of the output. */
function awaitOutput(taskId: string, row: Omit<OutputsRow, 'end_user'>, number: number | null): OwnFile {
  const chosen = outputAt([requestOf(row).output], number);
  if (typeof chosen === 'string')
    return { found: false, message: `the task ${taskId} will have no such output: ${chosen}` };
  const whole = expectedOf(row);
  const expected = whole === null || chosen.tile === null ? whole : { ...whole, ...tileSizeOf(whole) };
  return { found: 'later', kind: row.type, awaited: { taskId, number, expected } };
}
