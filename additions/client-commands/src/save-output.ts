import { createWriteStream } from 'node:fs';
import { access, link, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import type { TaskView } from '@darkroom-service/contract';
import { CommandFault, STANDARD, shellWord, watchInterruption } from '@darkroom-service/darkroom/kernel-cli';
import { taskPath } from './describe-task.ts';
import { findTarget, partialPath, type SaveOptions } from './save-target.ts';

const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/webp': ['.webp'],
  'video/mp4': ['.mp4', '.m4v'],
  'video/webm': ['.webm'],
};

/**
 * Saves the output of a finished task, completely or not at all.
 * @returns a remark if the file's extension does not match its content type.
 * @throws CommandFault with the task's id, the charge, and the command that downloads the file.
 */
export async function saveOutput(client: ApiClient, task: TaskView, options: SaveOptions): Promise<string | null> {
  const { output, force = false } = options;
  if (output === undefined) return null;
  const type = task.outputs[0]?.content_type;
  if (type === undefined) {
    throw new CommandFault(`${task.task_id} is ${task.status} and has no output to save. Its files may have expired.`);
  }
  const { signal, release } = watchInterruption();
  try {
    await download(client, task, { output, force, signal });
  } catch (error) {
    throw notSaved(task, options, signal.aborted ? null : error);
  } finally {
    release();
  }
  if (output === STANDARD) return null;
  const usual = EXTENSIONS[type];
  if (usual === undefined || usual.includes(extname(output).toLowerCase())) return null;
  return `${output} holds ${type}; the usual extension is ${usual[0]}.`;
}

async function download(
  client: ApiClient,
  task: TaskView,
  { output, force, signal }: { readonly output: string; readonly force: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const response = await client.download(`${taskPath(task.task_id)}/content`, signal);
  await writeResponse(response, { output, force, bytes: task.outputs[0]?.bytes ?? null, signal });
}

/** Saves the file that a service answers, completely or not at all. @throws CommandFault */
export async function saveResponse(
  response: Response,
  { output = STANDARD, force = false }: SaveOptions,
): Promise<void> {
  const { signal, release } = watchInterruption();
  try {
    const length = response.headers.get('content-length');
    await writeResponse(response, { output, force, bytes: length === null ? null : Number(length), signal });
  } finally {
    release();
  }
}

/** @param to.bytes the length that the file must have; null = not known */
async function writeResponse(
  response: Response,
  to: { readonly output: string; readonly force: boolean; readonly bytes: number | null; readonly signal: AbortSignal },
): Promise<void> {
  const target = await findTarget(to.output, to.force);
  const body = Readable.fromWeb(response.body as ReadableStream);
  if (target.kind === 'stream') return await writeStream(body, target.path, to.signal);
  const part = partialPath(target.path);
  try {
    await writeFile(body, part, to.bytes, to.signal);
    await moveIntoPlace(part, target.path, to.force);
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Downloads the output of a succeeded task to a path where there is no file yet.
 * @throws CommandFault if bytes are missing
 */
export async function downloadTo(client: ApiClient, task: TaskView, path: string, signal: AbortSignal): Promise<void> {
  const response = await client.download(`${taskPath(task.task_id)}/content`, signal);
  await writeFile(Readable.fromWeb(response.body as ReadableStream), path, task.outputs[0]?.bytes ?? null, signal);
}

async function writeFile(body: Readable, path: string, expected: number | null, signal: AbortSignal): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx' });
  await pipeline(body, file, { signal });
  if (expected !== null && file.bytesWritten !== expected)
    throw new CommandFault(`received ${file.bytesWritten} of ${expected} bytes`);
}

/** Returns the usual extension of a content type, with its dot; empty for an unknown type. */
export function extensionOf(contentType: string): string {
  return EXTENSIONS[contentType]?.[0] ?? '';
}

async function writeStream(body: Readable, path: string, signal: AbortSignal): Promise<void> {
  if (path === STANDARD) await pipeline(body, process.stdout, { signal, end: false });
  else await pipeline(body, createWriteStream(path), { signal });
}

/**
 * Moves a file to its final path. A hard link fails if the target was created in the meantime; a rename would silently
 * replace it.
 */
async function moveIntoPlace(part: string, target: string, force: boolean): Promise<void> {
  if (force) return await rename(part, target);
  try {
    await link(part, target);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') throw new CommandFault(`another program created ${target} meanwhile; --force replaces it`);
    // File systems without hard links.
    if (await exists(target)) throw error;
    await rename(part, target);
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** @param reason null = the user pressed Ctrl-C. */
function notSaved(task: TaskView, options: SaveOptions, reason: unknown): CommandFault {
  const { task_id: id, cost } = task;
  const command = `darkroom tasks download ${id} -o ${shellWord(options.output ?? '')}${options.force ? ' --force' : ''}`;
  const why = reason === null ? 'interrupted' : reason instanceof Error ? reason.message : String(reason);
  const charged =
    cost.state === 'charged' ? `${cost.amount} ${cost.currency} was charged` : `its cost is ${cost.state}`;
  const name = options.output === STANDARD ? 'The output' : options.output;
  const message = `${name} was not saved: ${why.replace(/\.$/, '')}.
${id} succeeded and ${charged}. Do not order it again. Download it: ${command}`;
  return new CommandFault(message, {
    exitCode: reason === null ? 130 : 1,
    cause: reason,
    document: {
      error: { code: reason === null ? 'interrupted' : 'not_saved', message },
      task_id: id,
      cost,
      command,
      task,
    },
  });
}
