import { MediaFault } from '../media-fault.ts';
import { OUTPUT_LIMITS } from '../media-limits.ts';
import { decodeFrames } from './decode-frame.ts';
import { readHeader } from './probe-file.ts';

/**
 * Returns the last frame of a film, upright, as a picture file.
 * @throws MediaFault if the file is no film, or the codecs are not installed
 */
export async function lastFrame(path: string, format: 'png' | 'jpeg' | 'webp'): Promise<Uint8Array> {
  const { probe } = await readHeader(path, OUTPUT_LIMITS);
  if (probe.kind !== 'video' || probe.durationSeconds === null)
    throw new MediaFault('unsupported', `expected a video, found ${probe.contentType}`);
  for await (const frame of decodeFrames(path, probe.contentType, [probe.durationSeconds]))
    return await frame.toFormat(format, { quality: 95 }).toBuffer();
  throw new MediaFault('unsupported', 'the video cannot be decoded: it needs the optional package @mediabunny/server');
}
