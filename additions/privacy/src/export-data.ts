import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ApiClient, clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import { CommandFault, inform, type OutputOptions, show, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import type { DataExportView } from './request-wire.ts';

/** Export that a directory holds, and its progress. */
interface Progress {
  readonly export_id: string;
  readonly account_id: string;
  readonly end_user: string | null;
  /** Number of complete archives. */
  readonly archives: number;
  /** Position at which the next archive begins; null = the first archive. */
  readonly after: string | null;
  readonly complete: boolean;
}

const PROGRESS = 'export.json';

/** Downloads the archives of an export one after the other. Complete archives are not downloaded again. */
export async function exportData(
  accountId: string,
  directory: string,
  options: OutputOptions & { readonly endUser?: string },
): Promise<void> {
  const client = clientOfEnvironment();
  const endUser = options.endUser ?? null;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  let progress = await readProgress(directory);
  if (progress !== null && (progress.account_id !== accountId || progress.end_user !== endUser))
    throw usageFault(`${directory} holds the export of somebody else. Name an empty directory.`);
  if (progress === null) {
    const body = { account_id: accountId, ...(endUser === null ? {} : { end_user: endUser }) };
    const { export_id } = await client.post<DataExportView>('/admin/v1/exports', body);
    const subject = { export_id, account_id: accountId, end_user: endUser };
    progress = await writeProgress(directory, { ...subject, archives: 0, after: null, complete: false });
  }
  while (!progress.complete) {
    const { name, next } = await download(client, directory, progress);
    inform(options, name);
    progress = await writeProgress(directory, {
      ...progress,
      archives: progress.archives + 1,
      after: next,
      complete: next === null,
    });
  }
  show(options, { json: progress, text: `${progress.archives} archives are complete in ${directory}.` });
}

/** Downloads an archive, which gets its name when it is complete. */
async function download(
  client: ApiClient,
  directory: string,
  { export_id: id, archives, after }: Progress,
): Promise<{ readonly name: string; readonly next: string | null }> {
  const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
  const response = await client.download(`/admin/v1/exports/${id}/archive${query}`);
  if (response.body === null) throw new CommandFault('The service sent an empty archive. Run the command again.');
  const name = `${id}-${archives + 1}.zip`;
  const part = join(directory, `${name}.part`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(part, { mode: 0o600 }));
  await rename(part, join(directory, name));
  return { name, next: response.headers.get('darkroom-next') };
}

async function readProgress(directory: string): Promise<Progress | null> {
  try {
    return JSON.parse(await readFile(join(directory, PROGRESS), 'utf8')) as Progress;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandFault(`${join(directory, PROGRESS)} cannot be read. Name an empty directory.`, { cause: error });
  }
}

async function writeProgress(directory: string, progress: Progress): Promise<Progress> {
  const path = join(directory, PROGRESS);
  await writeFile(`${path}.part`, `${JSON.stringify(progress)}\n`, { mode: 0o600 });
  await rename(`${path}.part`, path);
  return progress;
}
