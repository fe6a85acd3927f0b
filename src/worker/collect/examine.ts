import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { OUTPUT_LIMITS, type PutOptions } from '@darkroom-service/media';
import { walkPicture } from '@darkroom-service/media/structure';
import type { StoredOutput } from '../../record/task.ts';
import type { Collecting, Fetched } from './fetch.ts';

/** A file whose measurements are known once its bytes have passed. */
export interface Examined {
  readonly contentType: string;
  readonly open: () => Promise<Uint8Array | Readable>;
  /** Starts a proof, for each time that the file is read, that the delivered file is complete. */
  readonly check: () => NonNullable<PutOptions['check']>;
  /** Returns the measurements, after a check has ended. */
  readonly measured: () => Measured;
  /** Pictures of a video, as WebP; null: there is none. */
  readonly thumbnail: Uint8Array | null;
  readonly preview: Uint8Array | null;
}

type Measured = Pick<
  StoredOutput,
  'width' | 'height' | 'durationSeconds' | 'fps' | 'hasAudio' | 'isOversized' | 'isOpaque'
>;

/**
 * Examines a fetched file. A picture is measured and proved complete while its bytes pass, and no pixel of it is
 * decoded. A media process measures anything else.
 * @throws MediaFault
 */
export async function examineOutput(
  { work, task, signal }: Pick<Collecting, 'work' | 'task' | 'signal'>,
  fetched: Fetched,
): Promise<Examined> {
  if (fetched.contentType === null) {
    const { media, tracer } = work.services;
    const { path } = fetched;
    const { probe, thumbnail, preview } = await tracer.span('examine', () =>
      media.examineOutput(path, { owner: task.api_key_id, signal }),
    );
    const { contentType, width, height, durationSeconds, fps, hasAudio } = probe;
    const measured = { width, height, durationSeconds, fps, hasAudio };
    const open = async () => createReadStream(path);
    return { contentType, open, check: () => ({ add() {}, end() {} }), measured: () => measured, thumbnail, preview };
  }
  const { contentType, open } = fetched;
  let walk = walkPicture(contentType);
  return {
    contentType,
    open,
    check: () => {
      walk = walkPicture(contentType);
      return walk;
    },
    measured: () => {
      const { width, height, bytesPerPixel, hasAlpha } = walk.end();
      const { pixels, decodedBytes } = OUTPUT_LIMITS;
      const isOversized = width * height > Math.min(pixels, decodedBytes / bytesPerPixel);
      const isOpaque = hasAlpha === false && task.request.values.background === 'transparent';
      return {
        width,
        height,
        durationSeconds: null,
        fps: null,
        hasAudio: null,
        ...(isOversized ? { isOversized } : {}),
        ...(isOpaque ? { isOpaque } : {}),
      };
    },
    thumbnail: null,
    preview: null,
  };
}
