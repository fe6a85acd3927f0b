import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ApiClient, withPatience } from '@darkroom-service/addition-common/commands/api-client';
import { RefusedFault } from '@darkroom-service/addition-common/commands/client-faults';
import type { OutputView, TaskView } from '@darkroom-service/contract';
import { CommandFault } from '@darkroom-service/darkroom/kernel-cli';
import { downloadTo, extensionOf } from '../save-output.ts';
import type { BatchFolder } from './batch-folder.ts';
import { PATIENCE_MS } from './place-batch.ts';

const ATTEMPTS = 3;

/**
 * Saves the output of a succeeded task, named like its order, or like the task if the order has no name. A file that
 * has the same content is kept, so that nothing is downloaded twice. If another file has the name, the task's id is
 * added.
 * @returns the path of the file
 */
export async function saveResult(
  client: ApiClient,
  folder: BatchFolder,
  task: TaskView,
  output: OutputView,
  signal: AbortSignal,
): Promise<string> {
  const { batch_name: name, task_id: id } = task;
  const extension = extensionOf(output.content_type);
  const names = name === null ? [id] : [name, `${name}.${id}`];
  for (const candidate of names) {
    const path = join(folder.path, candidate + extension);
    const found = await contentOf(path, output);
    if (found === 'same') return path;
    if (found === 'other') continue;
    const part = folder.partialPath(id);
    await download(client, task, part, signal);
    try {
      // Unlike a rename, it never replaces a file that another program creates meanwhile.
      await link(part, path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(part, { force: true });
    }
  }
  throw new Error(`${folder.path} has other files named ${names.join(' and ')}${extension}. Move them away.`);
}

async function download(client: ApiClient, task: TaskView, part: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withPatience({ patienceMs: PATIENCE_MS, signal }, async () => {
        await rm(part, { force: true });
        await downloadTo(client, task, part, signal);
      });
    } catch (error) {
      // Fetch throws a TypeError when a stream breaks off. A refusal or a full disk is no reason to try again.
      const isCut = error instanceof TypeError || (error instanceof CommandFault && !(error instanceof RefusedFault));
      if (!isCut || signal.aborted || attempt >= ATTEMPTS) throw error;
    }
  }
}

async function contentOf(path: string, output: OutputView): Promise<'none' | 'same' | 'other'> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'none';
  if (!found.isFile() || found.size !== output.bytes) return 'other';
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === output.sha256 ? 'same' : 'other';
}
