import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { chanceAt } from '../../model/random.ts';
import type { Brush, Stage } from '../../model/stage.ts';
import type { Finish } from './finish.ts';
import { mapShapes, type Point } from './map-shapes.ts';
import { edges, layOver, pixelOf, readPixels, retouchSides, writePixels } from './pixels.ts';

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The longer sides of the small copies from which the panes' colours and the picture's contours are read. */
const SAMPLED_SIDE = 360;
const CONTOUR_SIDE = 420;

/**
 * The longer side at which the glass is painted. It can be small, because glass is smooth and lead covers the seams.
 */
const GLASS_SIDE = 1280;

/** Additional lightness of a pane in its centre, of 255. */
const SHINE = 26;

/** Creates the stained glass finish: panes of coloured glass in lead, with light behind them. */
export function finishStainedGlass(stage: Stage, shown: Sides): Finish {
  const size = retouchSides(shown, GLASS_SIDE);
  const { width, height } = size;
  const cell = Math.max(6, Math.min(width, height) / 34);
  const panes = cutPanes(stage.scene.seed, size, cell);
  const glass = width === shown.width ? null : createCanvas(width, height);
  const { shapes } = mapShapes(
    panes.map(({ corners }) => corners),
    width,
    height,
  );
  const shine = shineOf(panes, shapes, size, cell);
  const lead = castLead(panes, shown, shown.width / width, cell);
  const sides = retouchSides(shown, SAMPLED_SIDE);
  const [red, green, blue] = [1, 2, 3].map(() => new Uint8Array(panes.length)) as [Uint8Array, Uint8Array, Uint8Array];

  function draw(words: Uint32Array): void {
    for (let at = 0; at < words.length; at++) {
      const pane = shapes[at]!;
      const more = shine[at]!;
      words[at] =
        0xff000000 |
        (Math.min(255, blue[pane]! + more) << 16) |
        (Math.min(255, green[pane]! + more) << 8) |
        Math.min(255, red[pane]! + more);
    }
  }
  return (painted, onto) => {
    const { words } = readPixels(painted, sides);
    for (const [number, { middle, bright }] of panes.entries()) {
      const column = Math.max(0, Math.min(sides.width - 1, Math.floor((middle[0] / width) * sides.width)));
      const row = Math.max(0, Math.min(sides.height - 1, Math.floor((middle[1] / height) * sides.height)));
      const word = words[row * sides.width + column]!;
      const stained = stain(word & 255, (word >> 8) & 255, (word >> 16) & 255, bright);
      red[number] = stained & 255;
      green[number] = (stained >> 8) & 255;
      blue[number] = (stained >> 16) & 255;
    }
    const contours = contoursOf(painted, retouchSides(shown, CONTOUR_SIDE));
    writePixels(glass ?? onto, draw);
    if (glass !== null) layOver(onto, glass);
    layOver(onto, lead);
    layOver(onto, contours, stage.duration > 0 ? 'low' : 'high');
  };
}

function stain(red: number, green: number, blue: number, bright: number): number {
  const mean = (red + green + blue) / 3;
  const tint = (part: number): number => (mean + (part - mean) * 1.55) * bright;
  return pixelOf(tint(red), tint(green), tint(blue));
}

interface Pane {
  readonly corners: readonly Point[];
  readonly middle: Point;
  readonly bright: number;
}

function cutPanes(seed: number, { width, height }: Sides, cell: number): Pane[] {
  const corner = (column: number, row: number): Point => [
    (column + (chanceAt(seed, 'gx', column, row) - 0.5) * 0.5) * cell * 0.5,
    (row + (chanceAt(seed, 'gy', column, row) - 0.5) * 0.55) * cell,
  ];
  const panes: Pane[] = [];
  for (let row = -1; row * cell < height + cell; row++) {
    for (let column = -2 + (((row % 2) + 2) % 2); column * cell * 0.5 < width + cell; column += 2) {
      const corners = [
        corner(column, row),
        corner(column + 1, row),
        corner(column + 2, row),
        corner(column + 2, row + 1),
        corner(column + 1, row + 1),
        corner(column, row + 1),
      ];
      panes.push({
        corners,
        middle: [
          corners.reduce((sum, [x]) => sum + x, 0) / corners.length,
          corners.reduce((sum, [, y]) => sum + y, 0) / corners.length,
        ],
        bright: 0.9 + 0.34 * chanceAt(seed, 'glass', column, row),
      });
    }
  }
  return panes;
}

/** Returns the lightness of each pixel above that of its pane's rim. */
function shineOf(
  panes: readonly Pane[],
  shapes: ArrayLike<number>,
  { width, height }: Sides,
  cell: number,
): Uint8Array {
  const xs = Float32Array.from(panes, ({ middle }) => middle[0]);
  const ys = Float32Array.from(panes, ({ middle }) => middle[1]);
  const shine = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const dx = x - xs[shapes[at]!]!;
      const dy = y - ys[shapes[at]!]!;
      shine[at] = Math.max(0, 1 - Math.sqrt(dx * dx + dy * dy) / (cell * 0.8)) * SHINE + 0.5;
    }
  }
  return shine;
}

function castLead(panes: readonly Pane[], { width, height }: Sides, scale: number, cell: number): Canvas {
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
  brush.scale(scale, scale);
  brush.lineJoin = 'round';
  brush.strokeStyle = '#14121a';
  brush.lineWidth = cell * 0.11;
  for (const { corners } of panes) {
    brush.beginPath();
    outline(brush, corners);
    brush.stroke();
  }
  return canvas;
}

function outline(brush: Brush, corners: readonly Point[]): void {
  for (const [index, [x, y]] of corners.entries()) {
    if (index === 0) brush.moveTo(x, y);
    else brush.lineTo(x, y);
  }
  brush.closePath();
}

/** Draws lead along the picture's contours, so that its subject stays recognisable. */
function contoursOf(painted: Canvas, sides: Sides): Canvas {
  const pixels = readPixels(painted, sides);
  const lines = edges(pixels, new Uint8Array(sides.width * sides.height));
  const canvas = createCanvas(sides.width, sides.height);
  writePixels(canvas, (words) => {
    // With soft edges, because hard ones would look jagged when enlarged.
    for (let at = 0; at < lines.length; at++)
      words[at] = 0x121212 | (Math.max(0, Math.min(255, (lines[at]! - 90) * 4)) << 24);
  });
  return canvas;
}
