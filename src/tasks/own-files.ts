import type { Selectable } from 'kysely';
import type { Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { type StoredMedia, type StoredOutput, taskOfFileKey } from './task.ts';

/** A file of the caller's own that a request names: an upload, or the output of one of its tasks. */
export type OwnFile =
  | { readonly found: true; readonly media: StoredMedia & { readonly kind: 'image' | 'video' | 'audio' } }
  | { readonly found: false; readonly message: string };

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
 * What a source such as `upload:<file_id>`, `task:<task_id>` or an address of this service stands for.
 * Null when the source is none of ours and has to be fetched.
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
    message: 'expected the address of a file or an output of this service, found another of its addresses',
  };
}

function reasonWithout(outputs: readonly StoredOutput[]): string {
  return outputs.length === 0
    ? 'its files have expired'
    : 'expected the address of its output, not of a thumbnail or preview';
}

/** Where an upload lies. */
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
  const outputs = JSON.parse(row.outputs_json) as StoredOutput[];
  const output = key === null ? outputs[0] : outputs.find((candidate) => candidate.key === key);
  if (output === undefined) {
    const reason = row.status !== 'succeeded' ? `it is ${row.status}` : reasonWithout(outputs);
    return { found: false, message: `the task ${taskId} has no such output: ${reason}` };
  }
  return { found: true, media: { ...output, kind: row.type } };
}
