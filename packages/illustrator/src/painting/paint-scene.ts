import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { Layer } from '../model/layer.ts';
import type { Scene } from '../model/scene.ts';
import { type Box, type Brush, createStage, type Stage, type StageOptions } from '../model/stage.ts';
import { aimOf, cameraAt } from './camera.ts';
import { paintedSide, prepareFinish } from './finish-style.ts';
import { layersOf } from './layers.ts';
import { createSheet, withShadow } from './paint-sheets.ts';
import { drawStill, paintStill, type Still } from './paint-stills.ts';

interface SceneRenderer {
  /** Paints the picture at a time in seconds. The next call uses the canvas again. */
  paint(time: number): Canvas;
}

/**
 * Prepares a scene for pictures of one size. Parts that never move are painted once. Each frame is a pure function of
 * scene, size and time.
 * @param options with `duration`, the film's length in seconds; 0 for a still.
 */
export function createSceneRenderer(scene: Scene, options: StageOptions): SceneRenderer {
  if (scene.becomes === undefined || (options.duration ?? 0) <= 0) return createSteadyRenderer(scene, options);
  const { becomes, ...before } = scene;
  return turnRenderer(before, { ...before, ...becomes }, options);
}

/**
 * Creates the renderer of a film in which one light becomes another. Both are painted; the later one fades in between
 * 20 % and 80 % of the film.
 */
function turnRenderer(before: Scene, after: Scene, options: StageOptions): SceneRenderer {
  const [first, second] = [before, after].map((each) => createSteadyRenderer(each, options)) as [
    SceneRenderer,
    SceneRenderer,
  ];
  const duration = options.duration ?? 1;
  return {
    paint(time) {
      const part = Math.max(0, Math.min(1, (time / duration - 0.2) / 0.6));
      const share = part * part * (3 - 2 * part);
      if (share <= 0) return first.paint(time);
      const end = second.paint(time);
      if (share >= 1) return end;
      const canvas = first.paint(time);
      const brush = canvas.getContext('2d');
      brush.save();
      brush.setTransform(1, 0, 0, 1, 0, 0);
      brush.globalAlpha = share;
      brush.drawImage(end, 0, 0);
      brush.restore();
      return canvas;
    },
  };
}

function createSteadyRenderer(scene: Scene, options: StageOptions): SceneRenderer {
  const { width, height } = options;
  const scale = Math.min(1, paintedSide(scene.style, (options.duration ?? 0) > 0) / Math.max(width, height));
  const stage = createStage(scene, {
    ...options,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  });
  const parts = stage.duration > 0 ? filmParts(stage) : layersOf(stage).map(movingPart);
  const canvas = createCanvas(stage.width, stage.height);
  const brush = canvas.getContext('2d');
  const shown = scale < 1 ? createCanvas(width, height) : canvas;
  const laySheet = scene.style === 'paper_cut' ? createSheet(stage) : null;
  const finish = prepareFinish(stage, shown);
  return {
    paint(time) {
      brush.setTransform(1, 0, 0, 1, 0, 0);
      brush.clearRect(0, 0, stage.width, stage.height);
      const hidden = hiddenRows(stage, parts, time);
      parts.forEach((part, index) => {
        brush.save();
        clipBelow(brush, stage, hidden[index]!);
        const view = viewAt(stage, time, part.depth);
        const paintPart = (on: Brush, scale: number): void => {
          moveCamera(on, view, scale);
          if (part.still === null) part.draw(on, time, seenIn(stage, view, hidden[index]!));
          else drawStill(on, stage, part.still);
        };
        if (laySheet !== null && part.still === null && part.flat !== true) laySheet(brush, paintPart);
        else paintPart(brush, 1);
        brush.restore();
      });
      finish(canvas, shown, time);
      return shown;
    },
  };
}

/** Paints one picture of a scene. For the frames of a film, use `createSceneRenderer`. */
export function paintScene(scene: Scene, options: StageOptions & { readonly time?: number }): Canvas {
  return createSceneRenderer(scene, options).paint(options.time ?? 0);
}

/** A part of the picture at one depth: painted for each frame, or once as a still. */
interface Part extends Layer {
  readonly still: Still | null;
}

function movingPart(layer: Layer): Part {
  return { ...layer, still: null };
}

function filmParts(stage: Stage): Part[] {
  const groups: Layer[][] = [];
  for (const layer of layersOf(stage)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && !last.moving && !layer.moving && last.depth === layer.depth)
      group.push(layer);
    else groups.push([layer]);
  }
  return groups.flatMap((group) => {
    const [first] = group as [Layer];
    if (first.moving) return [movingPart(first)];
    const still = paintStill(stage, group);
    if (still === null) return [];
    return [{ ...first, still: stage.scene.style === 'paper_cut' ? withShadow(stage, still) : still }];
  });
}

/** Returns for each part the first row of the picture that a later part hides. */
function hiddenRows(stage: Stage, parts: readonly Part[], time: number): number[] {
  let hidden = Number.POSITIVE_INFINITY;
  return parts
    .toReversed()
    .map(({ still, depth }) => {
      const behind = hidden;
      if (still !== null && still.hidesFrom < Number.POSITIVE_INFINITY) {
        const { scale, top } = viewAt(stage, time, depth);
        hidden = Math.min(hidden, Math.ceil((still.hidesFrom - top) * scale) + 1);
      }
      return behind;
    })
    .reverse();
}

function clipBelow(brush: Brush, stage: Stage, row: number): void {
  if (row >= stage.height) return;
  brush.beginPath();
  brush.rect(0, 0, stage.width, Math.max(0, row));
  brush.clip();
}

interface CameraView {
  /** Pixels per world unit. */
  readonly scale: number;
  /** World point at the picture's upper left corner. */
  readonly left: number;
  readonly top: number;
}

/** Returns the camera's view of a depth. */
function viewAt(stage: Stage, time: number, depth: number): CameraView {
  const pose = cameraAt(stage, time, depth);
  const aim = aimOf(stage);
  return {
    scale: stage.unit * pose.zoom,
    left: aim.x - (aim.x - stage.corner.x) / pose.zoom + pose.x,
    top: aim.y - (aim.y - stage.corner.y) / pose.zoom + pose.y,
  };
}

/** Maps world units to pixels of a canvas that has `share` times the sides of the picture. */
function moveCamera(brush: Brush, { scale, left, top }: CameraView, share: number): void {
  const unit = scale * share;
  brush.setTransform(unit, 0, 0, unit, -left * unit, -top * unit);
}

/** Margin for things that extend slightly beyond their place, in world units. */
const BEYOND = 0.1;

/** Returns the part of the world visible above a row of the picture; for a still, everything that is painted. */
function seenIn(stage: Stage, { scale, left, top }: CameraView, hidden: number): Box {
  if (stage.duration <= 0) return stage.seen;
  return {
    left: left - BEYOND,
    top: top - BEYOND,
    right: left + stage.width / scale + BEYOND,
    bottom: top + Math.min(stage.height, hidden) / scale + BEYOND,
  };
}
