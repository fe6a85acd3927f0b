import { Path2D } from '@napi-rs/canvas';
import { lighten, mix, withAlpha } from '../../model/colour.ts';
import { seenColour } from '../../model/palette.ts';
import { chanceAt, smoothNoise } from '../../model/random.ts';
import type { BackdropName } from '../../model/scene.ts';
import { type Brush, type Stage, vertical } from '../../model/stage.ts';
import { lightPlace } from '../sky/paint-sky.ts';

export interface Ridge {
  readonly kind: BackdropName;
  /** The amount of haze in front of it: 0 near, 1 far. */
  readonly distance: number;
  readonly seed: number;
}

/** Paints a chain of mountains with a lit and a shaded face, snow on the high ones, and haze at the foot. */
export function paintMountains(brush: Brush, stage: Stage, ridge: Ridge): void {
  const tall = ridge.kind === 'peaks';
  const width = tall ? 0.46 : 0.36;
  const reach = tall ? 0.4 : 0.27;
  const snowy = stage.scene.ground === 'snow' || tall;
  const first = Math.floor(stage.seen.left / width) - 2;
  const last = Math.ceil(stage.seen.right / width) + 2;
  const cells = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  cells.sort((a, b) => chanceAt(ridge.seed, 'order', a) - chanceAt(ridge.seed, 'order', b));
  for (const cell of cells) {
    const x = (cell + 0.5 + (chanceAt(ridge.seed, 'x', cell) - 0.5) * 0.7) * width;
    const height =
      reach * (0.45 + 0.75 * chanceAt(ridge.seed, 'h', cell)) * (0.8 + 0.4 * smoothNoise(ridge.seed, cell * 0.31));
    paintMountain(brush, stage, ridge, {
      cell,
      x,
      height,
      spread: width * (0.85 + 0.5 * chanceAt(ridge.seed, 'w', cell)),
      snowy: snowy && height > reach * 0.42,
    });
  }
}

interface Mountain {
  readonly cell: number;
  readonly x: number;
  readonly height: number;
  readonly spread: number;
  readonly snowy: boolean;
}

function paintMountain(brush: Brush, stage: Stage, ridge: Ridge, mountain: Mountain): void {
  const { palette } = stage.scene;
  const foot = stage.horizon + 0.01;
  const top = foot - mountain.height;
  const light = lightPlace(stage);
  const litLeft = (light?.x ?? -1) < mountain.x;
  const rock = seenColour(palette, mix('#6f7683', palette.land, 0.25), 0.22 + ridge.distance * 0.58);
  const lit = mix(rock, mix(palette.sun, palette.haze, 0.35), 0.24);
  const shade = mix(rock, palette.shadow, 0.34 * (1 - ridge.distance * 0.5));
  const left = slope(mountain, -1, ridge.seed);
  const right = slope(mountain, 1, ridge.seed);
  const keel = crest(mountain, ridge.seed);
  const at = ([x, y]: Point): Point => [mountain.x + x * mountain.spread, foot - y * mountain.height];
  const fade = (colour: string): ReturnType<typeof vertical> =>
    vertical(brush, top, foot, [colour, mix(colour, palette.haze, 0.3), mix(colour, palette.haze, 0.72)]);
  polygon(brush, [...left, ...[...right].reverse()].map(at), fade(litLeft ? shade : lit));
  polygon(brush, [...left, ...[...keel].reverse()].map(at), fade(litLeft ? lit : shade));
  if (!mountain.snowy) return;
  const snow = mix(seenColour(palette, '#f6f9ff', 0.1), palette.haze, ridge.distance * 0.35);
  const snowShade = mix(snow, palette.shadow, 0.24);
  const line = 0.62;
  polygon(brush, snowCap(left, keel, line, ridge.seed, mountain.cell).map(at), litLeft ? snow : snowShade);
  polygon(brush, snowCap(right, keel, line, ridge.seed, mountain.cell + 0.5).map(at), litLeft ? snowShade : snow);
}

type Point = readonly [number, number];

/** Returns the outline from the foot to the summit: x from −1 to 1 of the spread, y from 0 to 1 of the height. */
function slope(mountain: Mountain, side: -1 | 1, seed: number): Point[] {
  const points: Point[] = [];
  for (let step = 0; step <= 7; step++) {
    const t = step / 7;
    const wild = (chanceAt(seed, 'slope', mountain.cell, side, step) - 0.5) * 0.13 * Math.sin(t * Math.PI);
    points.push([side * (1 - t) * (1 - 0.12 * t) + wild * side, t ** 1.12 + wild]);
  }
  return points;
}

/** Returns the edge between the two faces, from the foot to the summit. */
function crest(mountain: Mountain, seed: number): Point[] {
  const points: Point[] = [];
  for (let step = 0; step <= 7; step++) {
    const t = step / 7;
    const wander = (chanceAt(seed, 'crest', mountain.cell, step) - 0.5) * 0.22 * (1 - t);
    points.push([wander + 0.1 * Math.sin(t * 7 + mountain.cell) * (1 - t), t]);
  }
  return points;
}

function snowCap(face: readonly Point[], keel: readonly Point[], line: number, seed: number, cell: number): Point[] {
  const outer = face.filter(([, y]) => y >= line);
  const inner = keel.filter(([, y]) => y >= line);
  const from = outer[0] ?? [0, 1];
  const to = inner[0] ?? [0, 1];
  const teeth: Point[] = [];
  for (let tooth = 1; tooth < 6; tooth++) {
    const t = tooth / 6;
    const drop = (tooth % 2 === 0 ? 0.03 : -0.1) * (0.6 + chanceAt(seed, 'tooth', cell, tooth));
    teeth.push([to[0] + (from[0] - to[0]) * t, to[1] + (from[1] - to[1]) * t + drop]);
  }
  return [...outer, ...[...inner].reverse(), ...teeth];
}

/** Paints rolling hills: one smooth line with light along its edge. */
export function paintHills(brush: Brush, stage: Stage, ridge: Ridge): void {
  const { palette } = stage.scene;
  const dune = ridge.kind === 'dunes';
  const reach = dune ? 0.13 : 0.19;
  const line = (x: number): number =>
    stage.horizon -
    reach *
      (0.35 +
        0.4 * ridge.distance +
        0.5 * smoothNoise(ridge.seed, x * 1.5) +
        0.14 * smoothNoise(ridge.seed + 1, x * 4.2));
  const own = dune ? palette.land : mix(palette.land, palette.foliage, 0.4);
  const colour = seenColour(palette, own, 0.12 + ridge.distance * 0.55);
  const path = skyline(stage, line);
  brush.fillStyle = vertical(brush, stage.horizon - reach * 1.3, stage.horizon + 0.04, [
    mix(colour, palette.sun, 0.16),
    colour,
    mix(colour, palette.haze, 0.3),
  ]);
  brush.fill(path);
  brush.strokeStyle = withAlpha(mix(colour, palette.sun, 0.5), 0.35);
  brush.lineWidth = 0.0025;
  brush.stroke(path);
}

/** Paints a distant forest: a row of conifers. */
export function paintTreeLine(brush: Brush, stage: Stage, ridge: Ridge): void {
  const { palette } = stage.scene;
  const white = stage.scene.ground === 'snow' || stage.scene.shore === 'snow';
  const own = white ? mix(palette.foliage, '#dfe8ee', 0.3) : lighten(palette.foliage, -0.3);
  const colour = seenColour(palette, own, 0.1 + ridge.distance * 0.5);
  const size = 0.105 - ridge.distance * 0.05;
  const cell = size * 0.3;
  const base = stage.horizon + 0.006;
  brush.fillStyle = vertical(brush, base - size * 1.2, base, [
    mix(colour, palette.sun, 0.1),
    colour,
    mix(colour, palette.haze, 0.5),
  ]);
  brush.beginPath();
  for (let index = Math.floor(stage.seen.left / cell); index * cell < stage.seen.right + size; index++) {
    const x = (index + chanceAt(ridge.seed, 'x', index)) * cell;
    const grove = 0.55 + 0.5 * smoothNoise(ridge.seed, x * 2.3);
    const height = size * Math.max(0.25, grove) * (0.6 + 0.6 * chanceAt(ridge.seed, 'h', index));
    conifer(brush, x, base, height, height * 0.24);
  }
  brush.rect(stage.seen.left, base - size * 0.16, stage.seen.right - stage.seen.left, size * 0.16);
  brush.fill();
}

/** Adds a conifer's outline to the path. */
function conifer(brush: Brush, x: number, foot: number, height: number, halfWidth: number): void {
  const tiers = 4;
  brush.moveTo(x, foot - height);
  for (let tier = 1; tier <= tiers; tier++) {
    const y = foot - height + (height * tier) / tiers;
    brush.lineTo(x + (halfWidth * tier) / tiers, y);
    brush.lineTo(x + (halfWidth * tier) / tiers / 2, y - height * 0.02);
  }
  for (let tier = tiers; tier >= 1; tier--) {
    const y = foot - height + (height * tier) / tiers;
    brush.lineTo(x - (halfWidth * tier) / tiers / 2, y - height * 0.02);
    brush.lineTo(x - (halfWidth * tier) / tiers, y);
  }
  brush.closePath();
}

function polygon(brush: Brush, points: readonly Point[], fill: string | ReturnType<typeof vertical>): void {
  brush.beginPath();
  points.forEach(([x, y], index) => {
    if (index === 0) brush.moveTo(x, y);
    else brush.lineTo(x, y);
  });
  brush.closePath();
  brush.fillStyle = fill;
  brush.fill();
}

function skyline(stage: Stage, line: (x: number) => number): Path2D {
  const path = new Path2D();
  path.moveTo(stage.seen.left, stage.horizon + 0.03);
  for (let x = stage.seen.left; x <= stage.seen.right + 0.012; x += 0.012) path.lineTo(x, line(x));
  path.lineTo(stage.seen.right + 0.02, stage.horizon + 0.03);
  path.closePath();
  return path;
}
