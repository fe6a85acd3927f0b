import type { Selectable } from 'kysely';
import type { Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { type StoredMedia, type StoredOutput, taskOfFileKey } from '../tasks/task.ts';
import { outputsOf } from '../tasks/task-json.ts';

/** A file of the caller's that a request refers to: an upload, or the output of one of its tasks. */
export type OwnFile =
  | { readonly found: true; readonly media: StoredMedia & { readonly kind: 'image' | 'video' | 'audio' } }
  | {
      readonly found: false;
      readonly message: string;
      /** The task has not ended, so it may have an output later. */
      readonly isUnfinished?: true;
    };

type FileRow = Selectable<Schema['files']>;

const selectFile = prepare<{ id: string; key: string }, FileRow>('own_file', (builder, argument) =>
  builder.selectFrom('files').selectAll().where('id', '=', argument('id')).where('api_key_id', '=', argument('key')),
);

interface OutputsRow {
  readonly type: 'image' | 'video';
  readonly status: string;
  readonly outputs_json: string;
}

const selectOutputs = prepare<{ id: string; key: string }, OutputsRow>('own_outputs', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['type', 'status', 'outputs_json'])
    .where('id', '=', argument('id'))
    .where('api_key_id', '=', argument('key'))
    .where('deleted_at', 'is', null),
);

/**
 * Resolves a source such as `upload:<file_id>`, `task:<task_id>` or a URL of this service.
 * Null if the source is external and must be fetched.
 */
export async function resolveOwnFile(
  session: Session,
  keyId: string,
  source: string,
  publicUrl: string,
): Promise<OwnFile | null> {
  if (source.startsWith('upload:')) return await findUpload(session, keyId, source.slice('upload:'.length));
  if (source.startsWith('task:')) return await findOutput(session, keyId, source.slice('task:'.length), null);
  if (!source.startsWith(`${publicUrl}/`)) return null;
  const path = source.slice(publicUrl.length).replace(/[?#].*$/s, '');
  const content = /^\/v1\/(?:images|videos)\/((?:img|vid)_[0-9a-z]+)\/content$/.exec(path)?.[1];
  if (content !== undefined) return await findOutput(session, keyId, content, null);
  if (path.startsWith('/files/')) {
    const key = path.slice('/files/'.length);
    const taskId = taskOfFileKey(key);
    if (taskId !== null) return await findOutput(session, keyId, taskId, key);
    const fileId = /^uploads\/[^/]+\/(file_[0-9a-z]+)$/.exec(key)?.[1];
    if (fileId !== undefined) return await findUpload(session, keyId, fileId);
  }
  return {
    found: false,
    message: 'expected the URL of a file or an output of this service, found another of its URLs',
  };
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

async function findUpload(session: Session, keyId: string, fileId: string): Promise<OwnFile> {
  const row = await session.first(selectFile, { id: fileId, key: keyId });
  if (row === undefined) return { found: false, message: `this API key has no file '${fileId.slice(0, 40)}'` };
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

async function findOutput(session: Session, keyId: string, taskId: string, key: string | null): Promise<OwnFile> {
  const row = await session.first(selectOutputs, { id: taskId, key: keyId });
  if (row === undefined) return { found: false, message: `this API key has no task '${taskId.slice(0, 40)}'` };
  const outputs = outputsOf(row);
  const output = key === null ? outputs[0] : outputs.find((candidate) => candidate.key === key);
  if (output === undefined) {
    if (row.status === 'queued' || row.status === 'processing') {
      const message = `the task ${taskId} is ${row.status}: wait until it succeeds`;
      return { found: false, isUnfinished: true, message };
    }
    const reason = row.status !== 'succeeded' ? `it is ${row.status}` : reasonWithout(outputs);
    return { found: false, message: `the task ${taskId} has no such output: ${reason}` };
  }
  return { found: true, media: { ...output, kind: row.type } };
}
