import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LocalFile } from '@darkroom-service/media';
import type { Answer } from './answer.ts';
import { DamagedAnswer, hostedSource, type SpooledOutput } from './spooled-answer.ts';
import { ignoreMissing, type Measured, withFile, writeSynced } from './synced-files.ts';

/**
 * Puts the media of a result into a folder: as links to files that have them already, else written.
 * @param files files with the media of outputs in memory, by index
 */
export async function writeMedia(
  folder: string,
  { delivery }: Extract<Answer, { kind: 'delivery' }>,
  files: ReadonlyMap<number, LocalFile>,
): Promise<SpooledOutput['source'][]> {
  const sources: SpooledOutput['source'][] = [];
  for (const [index, { source }] of delivery.outputs.entries()) {
    const file = String(index);
    const path = join(folder, file);
    if ('url' in source) sources.push(hostedSource(source));
    else if ('path' in source) {
      await linkSynced(source.path, path);
      sources.push({ file, ...(await measure(path)) });
    } else {
      const measured = (await linkStored(files.get(index), path)) ?? (await writeSynced(path, source.data));
      sources.push({ file, ...measured });
    }
  }
  return sources;
}

/**
 * Checks a medium of a spooled answer.
 * @throws DamagedAnswer if a file of the spool is not the one that was written or linked
 */
export async function checkMedium(
  folder: string,
  { file, bytes, sha256 }: Extract<SpooledOutput['source'], { file: string }>,
): Promise<void> {
  const found = await measure(join(folder, file)).catch(ignoreMissing);
  if (found === undefined) throw new DamagedAnswer(`the media file ${file} is missing`);
  if (found.bytes !== bytes || found.sha256 !== sha256) {
    throw new DamagedAnswer(`the media file ${file} is damaged: found ${found.bytes} bytes, expected ${bytes}`);
  }
}

/**
 * Links a flushed file, so that the spool has its bytes even if the file is removed.
 * @returns null if it cannot be linked: it is gone, or is on another file system, or on one without hard links
 */
async function linkStored(file: LocalFile | undefined, to: string): Promise<Measured | null> {
  if (file === undefined) return null;
  for (const from of file.paths) {
    const fault = await link(from, to).catch((error: unknown) => error);
    if (fault === undefined) return { bytes: file.bytes, sha256: file.sha256 };
  }
  return null;
}

/** Hard-links a file, which needs no space and so works on a full disk too. */
async function linkSynced(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    // Temporary files may be on another file system, or on one without hard links.
    if (!['EXDEV', 'EPERM', 'ENOTSUP'].includes(error.code ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  });
  await withFile(to, 'r+', async (file) => {
    await file.chmod(0o600);
    await file.sync();
  });
}

async function measure(path: string): Promise<Measured> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      hash.update(chunk);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}
