import type { MediaLimits } from '../media-limits.ts';
import type { Probe } from '../probe.ts';
import { makePreview } from './preview.ts';
import { explainDecoding, readHeader } from './probe-file.ts';
import { makeThumbnail } from './thumbnail.ts';

export interface ExaminedOutput {
  readonly probe: Probe;
  /** Thumbnail as a WebP; null if there is nothing to show or it would cost too much to make. */
  readonly thumbnail: Uint8Array | null;
  readonly preview: Uint8Array | null;
}

/**
 * Measures an output and makes its thumbnail and preview.
 * @param onPart called with the results so far, which are used if the process reaches a limit.
 * @throws MediaFault if the header is invalid or the picture is broken
 */
export async function examineOutput(
  path: string,
  limits: MediaLimits,
  onPart: (known: ExaminedOutput) => void,
): Promise<ExaminedOutput> {
  const { probe, excess } = await readHeader(path, limits);
  let known: ExaminedOutput = { probe, thumbnail: null, preview: null };
  if (excess !== null || probe.kind === 'audio') return known;
  onPart(known);
  known = { ...known, thumbnail: await decode(path, probe) };
  if (probe.kind === 'image') return known;
  onPart(known);
  return { ...known, preview: await makePreview(path, probe) };
}

/** Makes the thumbnail of a picture, which proves that it decodes. @throws MediaFault */
export async function thumbnailOf(path: string, limits: MediaLimits): Promise<Uint8Array | null> {
  const { probe, excess } = await readHeader(path, limits);
  if (excess !== null) throw excess;
  return await decode(path, probe);
}

async function decode(path: string, probe: Probe): Promise<Uint8Array | null> {
  try {
    return await makeThumbnail(path, probe);
  } catch (error) {
    throw explainDecoding(probe.contentType, error);
  }
}
