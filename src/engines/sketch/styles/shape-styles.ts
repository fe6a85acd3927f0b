import { type Canvas, createCanvas, Path2D } from '@napi-rs/canvas';
import { chanceAt } from '../random.ts';
import type { Brush, Stage } from '../stage.ts';
import { changePixels, edges, layOver } from './pixels.ts';

const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/** Large square pixels in few colours, dithered. */
export function finishPixelArt(canvas: Canvas): void {
  const side = Math.max(2, Math.round(Math.min(canvas.width, canvas.height) / 112));
  const width = Math.max(1, Math.ceil(canvas.width / side));
  const height = Math.max(1, Math.ceil(canvas.height / side));
  const small = createCanvas(width, height);
  const smallBrush = small.getContext('2d');
  smallBrush.imageSmoothingQuality = 'medium';
  smallBrush.drawImage(canvas, 0, 0, canvas.width / side, canvas.height / side);
  const image = smallBrush.getImageData(0, 0, width, height);
  const { data } = image;
  const step = 255 / 8;
  for (let at = 0; at < width * height; at++) {
    const threshold = (BAYER[(Math.floor(at / width) % 4) * 4 + ((at % width) % 4)]! / 16 - 0.47) * step * 0.34;
    const mean = (data[at * 4]! + data[at * 4 + 1]! + data[at * 4 + 2]!) / 3;
    for (let part = at * 4; part < at * 4 + 3; part++) {
      const lively = mean + (data[part]! - mean) * 1.2;
      data[part] = Math.round((lively + threshold) / step) * step;
    }
    data[at * 4 + 3] = 255;
  }
  smallBrush.putImageData(image, 0, 0);
  const brush = canvas.getContext('2d');
  brush.save();
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.imageSmoothingEnabled = false;
  brush.drawImage(small, 0, 0, width * side, height * side);
  brush.restore();
}

/** The colour about a place in pixels of the picture. */
type Sampler = (x: number, y: number) => readonly [number, number, number];

function sampler(canvas: Canvas, longest: number): Sampler {
  const scale = Math.min(1, longest / Math.max(canvas.width, canvas.height));
  const width = Math.max(1, Math.round(canvas.width * scale));
  const height = Math.max(1, Math.round(canvas.height * scale));
  const small = createCanvas(width, height);
  const brush = small.getContext('2d');
  brush.imageSmoothingQuality = 'medium';
  brush.drawImage(canvas, 0, 0, width, height);
  const { data } = brush.getImageData(0, 0, width, height);
  return (x, y) => {
    const column = Math.max(0, Math.min(width - 1, Math.floor((x / canvas.width) * width)));
    const row = Math.max(0, Math.min(height - 1, Math.floor((y / canvas.height) * height)));
    const at = (row * width + column) * 4;
    return [data[at]!, data[at + 1]!, data[at + 2]!];
  };
}

/** Facets: triangles between scattered points, each in one colour. */
export function finishLowPoly(canvas: Canvas, stage: Stage): void {
  const sample = sampler(canvas, 420);
  const shown = createCanvas(canvas.width, canvas.height);
  const brush = shown.getContext('2d');
  const { cell, facets } = facetsOf(stage);
  brush.lineWidth = Math.max(0.8, cell * 0.04);
  for (const { path, x, y, lean } of facets) {
    const [red, green, blue] = sample(x, y);
    const lit = (part: number): number => Math.min(255, Math.round(part * lean));
    const colour = `rgb(${lit(red)}, ${lit(green)}, ${lit(blue)})`;
    brush.fillStyle = colour;
    brush.strokeStyle = colour;
    brush.fill(path);
    brush.stroke(path);
  }
  layOver(canvas, shown, false);
}

interface Facet {
  readonly path: Path2D;
  /** Its middle in pixels. */
  readonly x: number;
  readonly y: number;
  /** How much lighter it is than what lies below it. */
  readonly lean: number;
}

interface Facets {
  readonly cell: number;
  readonly facets: readonly Facet[];
}

/** The frames of a film have the same facets. */
const cuts = new WeakMap<Stage, Facets>();

function facetsOf(stage: Stage): Facets {
  const known = cuts.get(stage);
  if (known !== undefined) return known;
  const { width, height, scene } = stage;
  const cell = Math.max(5, Math.min(width, height) / 56);
  const place = (column: number, row: number): Point => [
    (column + (chanceAt(scene.seed, 'px', column, row) - 0.5) * 0.85) * cell,
    (row + (chanceAt(scene.seed, 'py', column, row) - 0.5) * 0.85) * cell,
  ];
  const columns = Math.ceil(width / cell) + 3;
  const rowOf = (row: number): Point[] => Array.from({ length: columns }, (_, index) => place(index - 1, row));
  const facets: Facet[] = [];
  let upper = rowOf(-1);
  for (let row = -1; row * cell < height + cell; row++) {
    const lower = rowOf(row + 1);
    for (let index = 0; index + 1 < columns; index++) {
      const [a, b, c, d] = [upper[index]!, upper[index + 1]!, lower[index]!, lower[index + 1]!];
      const rising = chanceAt(scene.seed, 'way', index - 1, row) < 0.5;
      const chance = chanceAt(scene.seed, 'facet', index - 1, row);
      facets.push(facet(a, b, rising ? c : d, cell, chance));
      facets.push(facet(rising ? b : a, d, c, cell, (chance * 7) % 1));
    }
    upper = lower;
  }
  const found = { cell, facets };
  cuts.set(stage, found);
  return found;
}

type Point = readonly [number, number];

function facet(p: Point, q: Point, r: Point, cell: number, chance: number): Facet {
  const path = new Path2D();
  path.moveTo(p[0], p[1]);
  path.lineTo(q[0], q[1]);
  path.lineTo(r[0], r[1]);
  path.closePath();
  return {
    path,
    x: (p[0] + q[0] + r[0]) / 3,
    y: (p[1] + q[1] + r[1]) / 3,
    lean: 1 + (q[0] - p[0] + (r[1] - p[1]) * 0.6) * (0.035 / cell) + (chance - 0.5) * 0.07,
  };
}

/** Panes of coloured glass in lead, light behind them. */
export function finishStainedGlass(canvas: Canvas, stage: Stage): void {
  const { seed } = stage.scene;
  const cell = Math.max(6, Math.min(canvas.width, canvas.height) / 34);
  const sample = sampler(canvas, 360);
  const shown = createCanvas(canvas.width, canvas.height);
  const brush = shown.getContext('2d');
  const corner = (column: number, row: number): readonly [number, number] => [
    (column + (chanceAt(seed, 'gx', column, row) - 0.5) * 0.5) * cell * 0.5,
    (row + (chanceAt(seed, 'gy', column, row) - 0.5) * 0.55) * cell,
  ];
  brush.lineJoin = 'round';
  brush.strokeStyle = '#14121a';
  brush.lineWidth = cell * 0.11;
  for (let row = -1; row * cell < canvas.height + cell; row++) {
    for (let column = -2 + (((row % 2) + 2) % 2); column * cell * 0.5 < canvas.width + cell; column += 2) {
      const pane = [
        corner(column, row),
        corner(column + 1, row),
        corner(column + 2, row),
        corner(column + 2, row + 1),
        corner(column + 1, row + 1),
        corner(column, row + 1),
      ];
      const x = pane.reduce((sum, [each]) => sum + each, 0) / 6;
      const y = pane.reduce((sum, [, each]) => sum + each, 0) / 6;
      const [red, green, blue] = sample(x, y);
      const mean = (red + green + blue) / 3;
      const bright = 0.9 + 0.34 * chanceAt(seed, 'glass', column, row);
      const tint = (part: number): number =>
        Math.max(0, Math.min(255, Math.round((mean + (part - mean) * 1.55) * bright)));
      const gradient = brush.createRadialGradient(x, y, 0, x, y, cell * 0.8);
      gradient.addColorStop(
        0,
        `rgb(${Math.min(255, tint(red) + 26)}, ${Math.min(255, tint(green) + 26)}, ${Math.min(255, tint(blue) + 26)})`,
      );
      gradient.addColorStop(1, `rgb(${tint(red)}, ${tint(green)}, ${tint(blue)})`);
      brush.fillStyle = gradient;
      brush.beginPath();
      pane.forEach(([px, py], index) => {
        if (index === 0) brush.moveTo(px, py);
        else brush.lineTo(px, py);
      });
      brush.closePath();
      brush.fill();
      brush.stroke();
    }
  }
  drawContours(brush, canvas);
  layOver(canvas, shown, false);
}

/** Lead along what stands out in the picture, so that its subject is still read. */
function drawContours(brush: Brush, canvas: Canvas): void {
  const outline = createCanvas(canvas.width, canvas.height);
  outline.getContext('2d').drawImage(canvas, 0, 0);
  changePixels(
    outline,
    420,
    (pixels) => {
      const lines = edges(pixels);
      for (let at = 0; at < lines.length; at++) {
        pixels.data.fill(18, at * 4, at * 4 + 3);
        pixels.data[at * 4 + 3] = lines[at]! > 130 ? 255 : 0;
      }
    },
    'replace',
  );
  brush.drawImage(outline, 0, 0);
}
