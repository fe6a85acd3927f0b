import type { Canvas } from '@napi-rs/canvas';
import { decodeSound } from '../../media/decode-sound.ts';
import { CodecsMissing, countFrames, type FilmPlan, writeFilm } from './film.ts';
import { loadReference } from './load-references.ts';
import { drawTestMark } from './mark-test.ts';
import { PaintFault, type PaintJob, type PaintMedia } from './paint-job.ts';
import { createPainter } from './paint-scene.ts';
import type { Scene } from './scene.ts';
import { composeSound, readMood, SAMPLE_RATE } from './sound.ts';

/** A film whose length the model leaves open. */
const USUAL_SECONDS = 5;
const USUAL_FPS = 24;

/** A given first frame dissolves into the scene, and the scene into a given last one, over at most this time and this part of the film. */
const DISSOLVE_SECONDS = 1.2;
const DISSOLVE_PART = 0.35;

/**
 * Paints a scene as a film, frame by frame, with its sound.
 * @throws PaintFault where films cannot be made or the order's media cannot be read.
 */
export async function paintFilm(job: PaintJob, scene: Scene, onProgress: (progress: number) => void): Promise<void> {
  const { width, height } = job.output;
  const durationSeconds = job.output.durationSeconds ?? USUAL_SECONDS;
  const fps = job.output.fps ?? USUAL_FPS;
  const seconds = countFrames(durationSeconds, fps) / fps;
  const given = findGivenFrames(job.media);
  const first = given.first === null ? null : await loadReference(given.first);
  const last = given.last === null ? null : await loadReference(given.last);
  const references = await Promise.all(given.others.map(loadReference));
  const painter = createPainter(scene, {
    width,
    height,
    duration: seconds,
    references: first === null ? references : [first, ...references],
  });
  const lastTime = seconds - 1 / fps;

  function paintFrame(frame: number): Uint8Array {
    const time = frame / fps;
    const canvas = painter.paint(time);
    if (first !== null) dissolve(canvas, first, 1 - ramp(time, seconds));
    if (last !== null) dissolve(canvas, last, 1 - ramp(lastTime - time, seconds));
    if (job.testMark) drawTestMark(canvas);
    return canvas.data();
  }

  const sound = job.output.audio ? await chooseSound(job, scene, seconds) : null;
  try {
    await writeFilm(
      { path: job.path, ...encodingOf(job), width, height, fps, durationSeconds, sound },
      paintFrame,
      (done, of) => onProgress((100 * done) / of),
    );
  } catch (error) {
    if (error instanceof CodecsMissing || error instanceof RangeError)
      throw new PaintFault('impossible', error.message, error);
    throw error;
  }
}

const PICTURE_CODECS = { h264: 'avc', vp9: 'vp9', av1: 'av1' } as const;

/** As ordered, else what every player of the format knows. */
function encodingOf({ output, values }: PaintJob): Pick<FilmPlan, 'format' | 'codec'> {
  const format = output.format === 'webm' ? 'webm' : 'mp4';
  const wanted = PICTURE_CODECS[values.video_codec as keyof typeof PICTURE_CODECS];
  return { format, codec: wanted ?? (format === 'webm' ? 'vp9' : 'avc') };
}

/** A sound that came with the order is heard in place of the scene's own. */
async function chooseSound(job: PaintJob, scene: Scene, seconds: number): Promise<Float32Array> {
  const given = job.media.find((medium) => medium.kind === 'audio');
  const sound = given === undefined ? null : await decodeSound(given.path, seconds, SAMPLE_RATE);
  return sound ?? composeSound(readMood(scene), job.seed, seconds);
}

interface GivenFrames {
  readonly first: PaintMedia | null;
  readonly last: PaintMedia | null;
  readonly others: readonly PaintMedia[];
}

/** Which pictures the film begins and ends with. One plain picture is where it begins; several are what it is about. */
function findGivenFrames(media: readonly PaintMedia[]): GivenFrames {
  const seen = media.filter((medium) => medium.kind !== 'audio');
  const plain = seen.filter((medium) => medium.field === 'image_urls');
  const last = seen.find((medium) => medium.field === 'last_frame_url') ?? null;
  const first =
    seen.find((medium) => medium.field === 'first_frame_url') ?? (plain.length === 1 ? (plain[0] ?? null) : null);
  return { first, last, others: seen.filter((medium) => medium !== first && medium !== last) };
}

/** From 0 to 1 within the time of a dissolve, softly at both ends. */
function ramp(time: number, seconds: number): number {
  const part = Math.max(0, Math.min(1, time / Math.min(DISSOLVE_SECONDS, seconds * DISSOLVE_PART)));
  return part * part * (3 - 2 * part);
}

/** Lays a picture over the whole frame, cut to its ratio. */
function dissolve(canvas: Canvas, picture: Canvas, opacity: number): void {
  if (opacity <= 0) return;
  const { width, height } = canvas;
  const scale = Math.max(width / picture.width, height / picture.height);
  const brush = canvas.getContext('2d');
  brush.save();
  brush.resetTransform();
  brush.globalAlpha = opacity;
  brush.drawImage(
    picture,
    (width - picture.width * scale) / 2,
    (height - picture.height * scale) / 2,
    picture.width * scale,
    picture.height * scale,
  );
  brush.restore();
}
