import { ServiceError } from '@darkroom-service/contract';
import type { Splice } from '@darkroom-service/media/structure';
import { type Selectable, sql } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { isFinal, type StoredOutput, taskOfFileKey, thumbnailKeyOf } from '../record/task.ts';
import type { ViewRow } from '../record/task-columns.ts';
import { mediaOf, outputsOf } from '../record/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findTaskRow } from './find-tasks.ts';

/** Seconds after which a missing output should be requested again. */
const NEXT_LOOK_SECONDS = 2;

/** A stored file as it is served. */
interface StoredContent {
  readonly storageKey: string;
  readonly contentType: string;
  /** File name for `?download=1`. */
  readonly fileName: string;
  /** Length of the stored file; null where no row has it. */
  readonly bytes: number | null;
  /** SHA-256 in hex; null if it was not kept. */
  readonly sha256: string | null;
  /** Splices that make the requested file out of the stored one; absent if both are the same. */
  readonly splices?: readonly Splice[];
}

/** Reads the key with the file, so that its revocation takes effect at once in every process. */
const selectTaskOfFile = prepare<
  { id: string },
  Pick<Selectable<Schema['tasks']>, 'step' | 'outputs_json' | 'media_json' | 'erased_at' | 'deleted_at'> & Revocable
>('task_of_file', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .innerJoin('api_keys', 'api_keys.id', 'tasks.api_key_id')
    .select(['step', 'outputs_json', 'media_json', 'erased_at', 'deleted_at', 'revoked_at'])
    .where('tasks.id', '=', argument('id')),
);

const selectUploadOfFile = prepare<{ id: string }, Selectable<Schema['files']> & Revocable>(
  'upload_of_file',
  (builder, argument) =>
    builder
      .selectFrom('files')
      .innerJoin('api_keys', 'api_keys.id', 'files.api_key_id')
      .selectAll('files')
      .select('revoked_at')
      .where('files.id', '=', argument('id')),
);

/** Selects unfinished tasks by the condition of the index of statuses other than `succeeded`. */
const selectUnended = prepare<{ key: string }, { id: string }>('unended_of_key', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('api_key_id', '=', argument('key'))
    .where('type', 'in', ['image', 'video'])
    .where('status', 'in', ['queued', 'processing'])
    .where(sql<boolean>`status <> 'succeeded'`)
    .limit(1),
);

interface Revocable {
  readonly revoked_at: number | null;
}

type ContentVariant = 'output' | 'original' | Beside;
/** A small picture made of an output: a still one, or an animated one of a video. */
type Beside = 'thumbnail' | 'preview';

/**
 * Returns the output of a task, as it was delivered to us (`original`), its thumbnail or its preview.
 * @throws ServiceError `task_not_found`, `outputs_expired`, `not_final`, `not_found` (it ended without an output)
 */
export async function taskContent(
  services: Pick<TaskServices, 'database'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  variant: ContentVariant,
): Promise<StoredContent> {
  const row = await findTaskRow(services.database.read, key, type, taskId);
  if (row.erased_at !== null) throw expired();
  const output = requireOutput(row, 'task_id');
  if (variant === 'output') return contentOf(taskId, output);
  if (variant === 'original') return originalOf(taskId, output);
  const storageKey = keyBeside(output, variant);
  if (storageKey === null)
    throw new ServiceError('not_found', `The task ${taskId} has no ${variant}.`, { param: 'variant' });
  return contentBeside(taskId, storageKey, variant);
}

/**
 * Returns the output of a task that is not erased.
 * @param param the field that names the task
 * @throws ServiceError `not_final`, `not_found` (it ended without an output)
 */
export function requireOutput(row: Pick<ViewRow, 'id' | 'status' | 'outputs_json'>, param: string): StoredOutput {
  const output = outputsOf(row)[0];
  if (output !== undefined) return output;
  if (!isFinal(row.status)) {
    throw new ServiceError('not_final', `The task ${row.id} is ${row.status}. Wait until it succeeds.`, {
      param,
      retryAfterSeconds: NEXT_LOOK_SECONDS,
    });
  }
  throw new ServiceError('not_found', `The task ${row.id} is ${row.status} and has no output.`, { param });
}

function keyBeside(output: StoredOutput, variant: Beside): string | null {
  return variant === 'thumbnail' ? thumbnailKeyOf(output) : (output.previewKey ?? null);
}

function contentBeside(taskId: string, storageKey: string, variant: Beside): StoredContent {
  return { storageKey, contentType: 'image/webp', fileName: `${taskId}-${variant}.webp`, bytes: null, sha256: null };
}

/** A file under a signed URL. */
interface SignedContent extends StoredContent {
  readonly erased: boolean;
  /** Whether its API key was revoked. The service's own readers still need the files of running orders. */
  readonly revoked: boolean;
}

/**
 * Returns the file of a storage key whose signature is valid, or the original of such an output; null if there is none.
 */
export async function fileBySignedKey(
  { database: { read } }: Pick<TaskServices, 'database'>,
  storageKey: string,
  variant: 'output' | 'original' = 'output',
): Promise<SignedContent | null> {
  const taskId = taskOfFileKey(storageKey);
  if (taskId === null) return await uploadBySignedKey(read, storageKey);
  const task = await read.first(selectTaskOfFile, { id: taskId });
  if (task === undefined) return null;
  const unnamed = {
    storageKey,
    contentType: 'application/octet-stream',
    fileName: taskId,
    bytes: null,
    sha256: null,
  };
  const isOver = task.step === 'final';
  const isGone = task.erased_at !== null || task.deleted_at !== null;
  const state = { erased: isGone, revoked: isOver && task.revoked_at !== null };
  if (state.erased) return { ...unnamed, ...state };
  const content = namedContent(taskId, storageKey, variant, task);
  if (content !== null) return { ...content, ...state };
  // Interceptors give addresses of files that no row names yet: references before the submission, outputs before the
  // success.
  return isOver ? null : { ...unnamed, ...state };
}

async function uploadBySignedKey(read: Session, storageKey: string): Promise<SignedContent | null> {
  const file = await read.first(selectUploadOfFile, { id: storageKey.split('/').at(-1) ?? '' });
  if (file === undefined || file.storage_key !== storageKey) return null;
  const revoked = file.revoked_at !== null && (await read.first(selectUnended, { key: file.api_key_id })) === undefined;
  return {
    storageKey,
    contentType: file.content_type,
    fileName: file.id,
    bytes: file.bytes,
    sha256: file.sha256,
    erased: file.erased_at !== null,
    revoked,
  };
}

function namedContent(
  taskId: string,
  storageKey: string,
  variant: 'output' | 'original',
  task: { readonly outputs_json: string; readonly media_json: string | null },
): StoredContent | null {
  for (const output of outputsOf(task)) {
    if (output.key === storageKey) return variant === 'output' ? contentOf(taskId, output) : originalOf(taskId, output);
    for (const beside of ['thumbnail', 'preview'] as const)
      if (keyBeside(output, beside) === storageKey) return contentBeside(taskId, storageKey, beside);
  }
  for (const { stored } of mediaOf(task))
    if (stored?.key === storageKey)
      return {
        storageKey,
        contentType: stored.contentType,
        fileName: `${taskId}-reference`,
        bytes: stored.bytes,
        sha256: null,
      };
  return null;
}

/** Returns the error for a file whose retention has ended. @param param the field that names its task, if one does */
export function expired(param: string | null = null): ServiceError {
  return new ServiceError(
    'outputs_expired',
    'The files of this task were erased because they expired or the task was deleted.',
    { param },
  );
}

export function contentOf(taskId: string, output: StoredOutput): StoredContent {
  const extension = output.key.slice(output.key.lastIndexOf('.'));
  return {
    storageKey: output.key,
    contentType: output.contentType,
    fileName: `${taskId}${extension}`,
    bytes: output.bytes,
    sha256: output.sha256,
  };
}

/** Returns an output as it was delivered to us. */
function originalOf(taskId: string, output: StoredOutput): StoredContent {
  const content = contentOf(taskId, output);
  return output.splices === undefined ? content : { ...content, splices: output.splices, sha256: null };
}
