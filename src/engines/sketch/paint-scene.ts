import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { cameraAt } from './camera.ts';
import { finishStyle } from './finish-style.ts';
import { type Layer, layersOf } from './layers.ts';
import type { Scene, StyleName } from './scene.ts';
import { type Brush, createStage, type Stage, type StageOptions } from './stage.ts';

export interface Painter {
  /** The picture at a time in seconds. The canvas is used again by the next call. */
  paint(time: number): Canvas;
}

/**
 * Prepares a scene for pictures of one size: what never moves is painted once. Each frame is a pure function of scene, size and time.
 * @param options `duration` is the film's length in seconds and 0 for a still.
 */
export function createPainter(scene: Scene, options: StageOptions): Painter {
  const longest = FILM_SIDES[scene.style] ?? Number.POSITIVE_INFINITY;
  const side = Math.max(options.width, options.height);
  if ((options.duration ?? 0) > 0 && side > longest) return enlargingPainter(scene, options, longest / side);
  if (scene.becomes === undefined || (options.duration ?? 0) <= 0) return createSteadyPainter(scene, options);
  const { becomes, ...before } = scene;
  return turnPainter(before, { ...before, ...becomes }, options);
}

/** The longer side at which the frames of costly styles are painted, in pixels: so that a film is made about as fast as it plays. */
const FILM_SIDES: Readonly<Partial<Record<StyleName, number>>> = {
  watercolour: 860,
  ink: 860,
  neon: 760,
  paper_cut: 760,
  blueprint: 860,
  woodcut: 760,
  low_poly: 560,
  stained_glass: 680,
};

function enlargingPainter(scene: Scene, options: StageOptions, scale: number): Painter {
  const { width, height } = options;
  const [inner, lower] = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
  const painter = createPainter(scene, { ...options, width: inner, height: lower });
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
  brush.imageSmoothingQuality = 'medium';
  return {
    paint(time) {
      brush.resetTransform();
      brush.drawImage(painter.paint(time), 0, 0, width, height);
      return canvas;
    },
  };
}

/** One light turns into another: both are painted, and the later one comes to the fore from the first quarter to the last. */
function turnPainter(before: Scene, after: Scene, options: StageOptions): Painter {
  const [first, second] = [before, after].map((each) => createSteadyPainter(each, options)) as [Painter, Painter];
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

function createSteadyPainter(scene: Scene, options: StageOptions): Painter {
  const stage = createStage(scene, options);
  const parts = stage.duration > 0 ? groupStill(layersOf(stage)) : layersOf(stage).map((layer) => [layer]);
  const painted = parts.map((part) =>
    stage.duration > 0 && part.length > 0 && !part[0]?.moving ? paintOnce(stage, part) : null,
  );
  const canvas = createCanvas(stage.width, stage.height);
  const brush = canvas.getContext('2d');
  const sheet = scene.style === 'paper_cut' ? createCanvas(stage.width, stage.height) : null;
  return {
    paint(time) {
      brush.setTransform(1, 0, 0, 1, 0, 0);
      brush.clearRect(0, 0, stage.width, stage.height);
      parts.forEach((part, index) => {
        const still = painted[index] ?? null;
        const paintPart = (on: Brush): void => {
          moveCamera(on, stage, time, part[0]?.depth ?? 0);
          if (still !== null)
            on.drawImage(
              still.canvas,
              stage.seen.left,
              still.top,
              still.canvas.width / stage.unit,
              still.canvas.height / stage.unit,
            );
          else for (const layer of part) layer.draw(on, time);
        };
        brush.save();
        if (sheet === null) paintPart(brush);
        else laySheet(brush, sheet, stage, paintPart);
        brush.restore();
      });
      finishStyle(canvas, stage, time);
      return canvas;
    },
  };
}

/** One picture of a scene; for the many of a film, keep a painter. */
export function paintScene(scene: Scene, options: StageOptions & { readonly time?: number }): Canvas {
  return createPainter(scene, options).paint(options.time ?? 0);
}

/** Neighbours that neither move nor differ in depth share one canvas. */
function groupStill(layers: readonly Layer[]): Layer[][] {
  const groups: Layer[][] = [];
  for (const layer of layers) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && !last.moving && !layer.moving && last.depth === layer.depth)
      group.push(layer);
    else groups.push([layer]);
  }
  return groups;
}

interface Still {
  readonly canvas: Canvas;
  /** World y of its upper edge. */
  readonly top: number;
}

/** The rows of a film's layer that hold anything: most are a band about the horizon, and the rest would only cost memory and time. */
function paintOnce(stage: Stage, layers: readonly Layer[]): Still {
  const { seen, unit } = stage;
  const { top, bottom } = occupiedRows(stage, layers);
  const canvas = createCanvas(
    Math.ceil((seen.right - seen.left) * unit),
    Math.max(1, Math.ceil((bottom - top) * unit)),
  );
  const brush = canvas.getContext('2d');
  brush.setTransform(unit, 0, 0, unit, -seen.left * unit, -top * unit);
  for (const layer of layers) layer.draw(brush, 0);
  return { canvas, top };
}

/** Found on a small copy, with a row to spare on both sides. */
function occupiedRows({ seen }: Stage, layers: readonly Layer[]): { top: number; bottom: number } {
  const height = 96;
  const scale = height / (seen.bottom - seen.top);
  const width = Math.max(1, Math.ceil((seen.right - seen.left) * scale));
  const brush = createCanvas(width, height).getContext('2d');
  brush.setTransform(scale, 0, 0, scale, -seen.left * scale, -seen.top * scale);
  for (const layer of layers) layer.draw(brush, 0);
  const { data } = brush.getImageData(0, 0, width, height);
  const rows = Array.from({ length: height }, (_, row) => {
    for (let at = row * width * 4 + 3; at < (row + 1) * width * 4; at += 4) if (data[at] !== 0) return true;
    return false;
  });
  const first = rows.indexOf(true);
  if (first < 0) return { top: seen.top, bottom: seen.top };
  return {
    top: Math.max(seen.top, seen.top + (first - 1) / scale),
    bottom: Math.min(seen.bottom, seen.top + (rows.lastIndexOf(true) + 2) / scale),
  };
}

/** The longer side of a shadow, which is soft anyway. */
const SHADOW_SIDE = 512;

/** Cuts a part out of a sheet of its own, which throws a shadow on what lies below. */
function laySheet(brush: Brush, sheet: Canvas, stage: Stage, paintPart: (brush: Brush) => void): void {
  const sheetBrush = sheet.getContext('2d');
  sheetBrush.save();
  sheetBrush.clearRect(0, 0, stage.width, stage.height);
  paintPart(sheetBrush);
  sheetBrush.restore();
  const scale = Math.min(1, SHADOW_SIDE / Math.max(stage.width, stage.height));
  const shadow = createCanvas(
    Math.max(1, Math.round(stage.width * scale)),
    Math.max(1, Math.round(stage.height * scale)),
  );
  const short = Math.min(shadow.width, shadow.height);
  const shadowBrush = shadow.getContext('2d');
  shadowBrush.filter = `blur(${Math.max(0.6, short * 0.009)}px)`;
  shadowBrush.drawImage(sheet, short * 0.005, short * 0.009, shadow.width, shadow.height);
  shadowBrush.filter = 'none';
  shadowBrush.globalCompositeOperation = 'source-in';
  shadowBrush.fillStyle = 'rgba(12, 10, 30, 0.5)';
  shadowBrush.fillRect(0, 0, shadow.width, shadow.height);
  brush.drawImage(shadow, 0, 0, stage.width, stage.height);
  brush.drawImage(sheet, 0, 0);
}

/** World units to pixels, seen from where the camera is; it turns about the middle of the view at the height of the horizon. */
function moveCamera(brush: Brush, stage: Stage, time: number, depth: number): void {
  const pose = cameraAt(stage, time, depth);
  const centre = {
    x: stage.corner.x + stage.width / stage.unit / 2,
    y: Math.min(stage.frame.bottom * 0.7, stage.horizon),
  };
  const scale = stage.unit * pose.zoom;
  const left = centre.x - (centre.x - stage.corner.x) / pose.zoom + pose.x;
  const top = centre.y - (centre.y - stage.corner.y) / pose.zoom + pose.y;
  brush.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
}
