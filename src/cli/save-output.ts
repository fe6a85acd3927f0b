import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { ApiClient } from './api-client.ts';
import { CommandFault } from './command-fault.ts';
import { type TaskShape, taskPath } from './task-shape.ts';

export interface SaveOptions {
  /** Where the output goes. */
  readonly output?: string;
  /** Replace what lies there. */
  readonly force?: boolean;
}

const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/webp': ['.webp'],
  'video/mp4': ['.mp4', '.m4v'],
  'video/webm': ['.webm'],
};

/** Looks before anything is ordered and paid whether the file can be saved. @throws CommandFault */
export function checkTarget(options: SaveOptions): void {
  if (options.output === undefined) return;
  if (existsSync(options.output) && !options.force) {
    throw new CommandFault(`${options.output} is there already. Name another file, or add --force to replace it.`);
  }
  if (!existsSync(dirname(options.output))) {
    throw new CommandFault(`The directory ${dirname(options.output)} of ${options.output} does not exist.`);
  }
}

/**
 * Saves a task's output, whole or not at all.
 * @returns a remark where the file's name promises another format than it has.
 */
export async function saveOutput(client: ApiClient, task: TaskShape, options: SaveOptions): Promise<string | null> {
  if (options.output === undefined) return null;
  const type = task.outputs[0]?.content_type;
  if (type === undefined) {
    throw new CommandFault(`${task.task_id} is ${task.status} and has no output to save.`);
  }
  const response = await client.download(`${taskPath(task.task_id)}/content`);
  const aside = `${options.output}.${process.pid}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(aside, { flags: 'wx' }));
    await moveToPlace(aside, options.output, options.force ?? false);
  } finally {
    await rm(aside, { force: true });
  }
  const extension = extname(options.output).toLowerCase();
  const usual = EXTENSIONS[type];
  if (usual === undefined || usual.includes(extension)) return null;
  return `${options.output} holds ${type}: ${usual[0]} would be its usual ending.`;
}

/** A link fails where a rename would silently replace what has come there meanwhile. */
async function moveToPlace(aside: string, target: string, force: boolean): Promise<void> {
  if (force) return await rename(aside, target);
  try {
    await link(aside, target);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') throw new CommandFault(`${target} has come to be meanwhile. Add --force to replace it.`);
    // File systems without hard links.
    if (existsSync(target)) throw error;
    await rename(aside, target);
  }
}
