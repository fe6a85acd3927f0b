import { decodeSound } from '@darkroom-service/media/decoding';
import { MachineFault } from '@darkroom-service/media/process';
import type { Canvas } from '@napi-rs/canvas';
import { CodecsMissing, countFrames, type FilmPlan, writeFilm } from '../film/film.ts';
import { composeSound, readMood, SAMPLE_RATE } from '../film/sound.ts';
import type { Scene } from '../model/scene.ts';
import { createSceneRenderer } from '../painting/paint-scene.ts';
import { layOutGrain, paintOnGrain } from '../painting/texture.ts';
import type { AssignedMedia } from './assign-media.ts';
import { loadGrain, loadReference } from './load-references.ts';
import { drawTestMark } from './mark-test.ts';
import { type MovingReference, openMovingReference } from './moving-reference.ts';
import { PaintFault, type PaintJob, type PaintMedia } from './paint-job.ts';

/** Length in seconds if the order has none. */
const USUAL_SECONDS = 5;
const USUAL_FPS = 24;

/**
 * Maximum time, and maximum share of the film, in which a given first frame dissolves into the scene, and the scene
 * into a given last frame.
 */
const DISSOLVE_SECONDS = 1.2;
const DISSOLVE_PART = 0.35;

/**
 * Paints a scene as a film, frame by frame, with its sound.
 * @throws PaintFault if films cannot be made or the order's media cannot be read.
 */
export async function paintFilm(
  job: PaintJob,
  media: AssignedMedia,
  scene: Scene,
  onProgress: (progress: number) => void,
): Promise<void> {
  const { width, height } = job.output;
  const durationSeconds = job.output.durationSeconds ?? USUAL_SECONDS;
  const fps = job.output.fps ?? USUAL_FPS;
  const frames = countFrames(durationSeconds, fps);
  const seconds = frames / fps;
  const first = media.first === null ? null : await loadReference(media.first);
  const last = media.last === null ? null : await loadReference(media.last);
  const shown = await openShown(media.shown, frames, fps);
  const grain = media.style === null ? null : layOutGrain(await loadGrain(media.style), { width, height });
  const painter = createSceneRenderer(scene, {
    width,
    height,
    duration: seconds,
    references: first === null ? shown.pictures : [first, ...shown.pictures],
  });
  const lastTime = seconds - 1 / fps;

  async function paintFrame(frame: number): Promise<Uint8Array> {
    const time = frame / fps;
    await shown.next();
    const canvas = painter.paint(time);
    if (grain !== null) paintOnGrain(canvas, grain);
    if (first !== null) dissolve(canvas, first, 1 - ramp(time, seconds));
    if (last !== null) dissolve(canvas, last, 1 - ramp(lastTime - time, seconds));
    if (job.testMark) drawTestMark(canvas);
    return canvas.data();
  }

  const sound = job.output.audio ? await chooseSound(job, media.sound, scene, seconds) : null;
  try {
    await writeFilm(
      { path: job.path, ...encodingOf(job), width, height, fps, durationSeconds, sound },
      paintFrame,
      (done, of) => onProgress((100 * done) / of),
    );
  } catch (error) {
    // The service accepts no films without codecs, so they were installed when this one was ordered.
    if (error instanceof CodecsMissing)
      throw new MachineFault('ERR_MODULE_NOT_FOUND', 'no film can be made now', error);
    if (error instanceof RangeError) throw new PaintFault('impossible', error.message, error);
    throw error;
  } finally {
    await shown.close();
  }
}

interface Shown {
  readonly pictures: readonly Canvas[];
  /** Advances the moving ones to the next frame. */
  next(): Promise<void>;
  close(): Promise<void>;
}

async function openShown(media: readonly PaintMedia[], frames: number, fps: number): Promise<Shown> {
  const times = Array.from({ length: frames }, (_, frame) => frame / fps);
  const pictures: Canvas[] = [];
  const films: MovingReference[] = [];
  for (const medium of media) {
    const length = medium.kind === 'video' ? (medium.durationSeconds ?? 0) : 0;
    if (length > 0) films.push(await openMovingReference(medium, length, times));
    pictures.push(length > 0 ? films.at(-1)!.picture : await loadReference(medium));
  }
  return {
    pictures,
    next: async () => void (await Promise.all(films.map((film) => film.next()))),
    close: async () => void (await Promise.all(films.map((film) => film.close()))),
  };
}

const PICTURE_CODECS = { h264: 'avc', vp9: 'vp9', av1: 'av1' } as const;

/** Returns the ordered codec, or the one that every player of the format supports. */
function encodingOf({ output, values }: PaintJob): Pick<FilmPlan, 'format' | 'codec'> {
  const format = output.format === 'webm' ? 'webm' : 'mp4';
  const wanted = PICTURE_CODECS[values.video_codec as keyof typeof PICTURE_CODECS];
  return { format, codec: wanted ?? (format === 'webm' ? 'vp9' : 'avc') };
}

/** Returns the film's sound: one from the order replaces the scene's own. */
async function chooseSound(
  job: PaintJob,
  given: PaintMedia | null,
  scene: Scene,
  seconds: number,
): Promise<Float32Array> {
  const sound = given === null ? null : await decodeSound(given.path, seconds, SAMPLE_RATE);
  return sound ?? composeSound(readMood(scene), job.seed, seconds);
}

/** Returns the progress of a dissolve, 0 to 1, slow at both ends. */
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
