import { constants, copyFile, open } from 'node:fs/promises';
import { FileWindow } from './file-window.ts';
import { recognizeFile } from './recognize.ts';
import type { Replacement } from './replacement.ts';
import { textInBoxes, textInElements } from './text-in-films.ts';
import { textInGif, textInJpeg, textInPng, textInWebp } from './text-in-pictures.ts';

/** Returns the replacements that remove a format's texts, in the order of the file. */
type FindText = (file: FileWindow) => readonly Replacement[];

const OF_FORMATS: Readonly<Record<string, FindText>> = {
  'image/png': textInPng,
  'image/jpeg': textInJpeg,
  'image/gif': textInGif,
  'image/webp': textInWebp,
  mp4: textInBoxes,
  matroska: textInElements,
};
const PIECE_BYTES = 1024 * 1024;

/**
 * Copies a picture or video without the texts in it: comments, EXIF, XMP and tags. All other bytes stay the same,
 * including colour profiles and C2PA. A format that this cannot do, such as AVIF, is copied unchanged.
 * @throws MediaFault if the format is not known or the file is broken
 */
export async function dropText(path: string, into: string): Promise<void> {
  const format = await recognizeFile(path);
  const findText = OF_FORMATS[format.picture ? format.contentType : format.film];
  const replacements = findText === undefined ? [] : find(path, findText);
  if (replacements.length === 0) await copyFile(path, into, constants.COPYFILE_FICLONE);
  else await copyWith(replacements, path, into);
}

function find(path: string, findText: FindText): readonly Replacement[] {
  using file = new FileWindow(path);
  return findText(file);
}

async function copyWith(replacements: readonly Replacement[], path: string, into: string): Promise<void> {
  await using from = await open(path, 'r');
  await using to = await open(into, 'w', 0o600);
  const piece = Buffer.alloc(PIECE_BYTES);
  let at = 0;
  for (const { start, end, bytes = new Uint8Array(), zeros = 0 } of [...replacements, { start: Infinity, end: 0 }]) {
    while (at < start) {
      const { bytesRead } = await from.read(piece, 0, Math.min(PIECE_BYTES, start - at), at);
      if (bytesRead === 0) break;
      await to.writeFile(piece.subarray(0, bytesRead));
      at += bytesRead;
    }
    await to.writeFile(bytes);
    for (let left = zeros; left > 0; left -= PIECE_BYTES) await to.writeFile(Buffer.alloc(Math.min(PIECE_BYTES, left)));
    at = end;
  }
}
