import { Path2D } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../model/colour.ts';
import { chanceAt } from '../../model/random.ts';
import { type Box, type Brush, type Stage, vertical } from '../../model/stage.ts';
import { lightPlace } from './paint-sky.ts';

interface Cloud {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly seed: number;
}

/**
 * Paints clouds in endless rows, heaped near the zenith and drawn out towards the horizon; the sun lights them, and the
 * wind moves them.
 */
export function paintClouds(brush: Brush, stage: Stage, time: number, seen: Box): void {
  const { seed, weather, motion } = stage.scene;
  const rows = 5;
  const first = Math.min(0, Math.floor((seen.top / stage.horizon / 0.84) * rows));
  for (let row = first; row < rows; row++) {
    const share = (row + 0.5) / rows;
    const heaped = share < 0.55 || weather.rain > 0.3;
    const scale = (1.3 - Math.max(0, share) * 0.85) * (heaped ? 1 : 1.15);
    const cell = (heaped ? 0.85 : 0.62) * scale;
    const drift = time * 0.03 * (0.35 + weather.wind) * scale * motion + chanceAt(seed, 'row', row);
    for (let index = Math.floor((seen.left - drift) / cell) - 1; index * cell + drift < seen.right + cell; index++) {
      if (chanceAt(seed, 'cloud', row, index) > weather.clouds * 0.9) continue;
      const cloud: Cloud = {
        x: (index + 0.15 + 0.7 * chanceAt(seed, 'cx', row, index)) * cell + drift,
        y: stage.horizon * (0.08 + 0.84 * share) + (chanceAt(seed, 'cy', row, index) - 0.5) * 0.1,
        scale: scale * (0.5 + 0.75 * chanceAt(seed, 'cs', row, index) ** 1.5),
        seed: seed + row * 977 + index * 31,
      };
      if (heaped) paintHeap(brush, stage, cloud);
      else paintVeil(brush, stage, cloud);
    }
  }
}

function coloursOf(stage: Stage, cloud: Cloud): { bright: string; middle: string; under: string } {
  const { palette, weather } = stage.scene;
  const share = Math.max(0, Math.min(1, cloud.y / stage.horizon));
  const sky = mix(
    mix(palette.sky[0], palette.sky[1], Math.min(1, share * 2)),
    palette.sky[2],
    Math.max(0, share * 2 - 1),
  );
  const light = lightPlace(stage);
  const close = light === null ? 0.3 : Math.max(0, 1 - Math.hypot(cloud.x - light.x, cloud.y - light.y) / 1.1);
  const night = stage.scene.time === 'night';
  const heavy = weather.rain * 0.6 + weather.lightning * 0.2;
  const lit = mix(palette.sun, palette.sky[3], 0.35);
  const bright = mix(mix(sky, lit, night ? 0.22 + close * 0.3 : 0.72 + close * 0.25), palette.shadow, heavy * 0.35);
  const under = mix(mix(sky, palette.sky[2], 0.4), palette.shadow, 0.05 + heavy * 0.5);
  return { bright, middle: mix(bright, under, 0.4), under };
}

/** Paints a heap cloud on a flat base: a shaded body, and lit heads on the side of the light. */
function paintHeap(brush: Brush, stage: Stage, cloud: Cloud): void {
  const { bright, middle, under } = coloursOf(stage, cloud);
  const { x, y, scale, seed } = cloud;
  const light = lightPlace(stage);
  const side = light === null ? -1 : Math.sign(light.x - x) || 1;
  const { width, height, body, head } = heapOf(seed, scale);
  brush.save();
  brush.translate(x, y);
  brush.beginPath();
  brush.rect(width * -2, height * -3, width * 4, height * 3.06);
  brush.clip();
  brush.fillStyle = vertical(brush, height * -1.3, height * 0.05, [
    withAlpha(middle, 0.96),
    withAlpha(mix(middle, under, 0.6), 0.9),
    withAlpha(under, 0.62),
  ]);
  brush.fill(body);
  brush.translate(side * height * 0.14, height * -0.1);
  brush.fillStyle = vertical(brush, height * -1.25, height * 0.05, [
    withAlpha(bright, 1),
    withAlpha(mix(bright, middle, 0.45), 0.75),
    withAlpha(middle, 0),
  ]);
  brush.fill(head);
  brush.restore();
}

interface Heap {
  readonly width: number;
  readonly height: number;
  /** Shape relative to the middle of its base. */
  readonly body: Path2D;
  readonly head: Path2D;
}

/** Cached heaps, since the frames of a film have the same clouds. */
const heaps = new Map<string, Heap>();
const MOST_HEAPS = 400;

function heapOf(seed: number, scale: number): Heap {
  const key = `${seed} ${scale}`;
  const known = heaps.get(key);
  if (known !== undefined) return known;
  const width = (0.2 + 0.14 * chanceAt(seed, 'width')) * scale;
  const height = (0.075 + 0.06 * chanceAt(seed, 'height')) * scale;
  const puffs = 8 + Math.floor(chanceAt(seed, 'puffs') * 5);
  const peak = chanceAt(seed, 'peak') * 1.1 - 0.55;
  const shape = (share: number): Path2D => {
    const path = new Path2D();
    for (let puff = 0; puff < puffs; puff++) {
      const t = (puff / (puffs - 1)) * 2 - 1;
      const rise = Math.max(0.12, 1 - Math.abs(t - peak) ** 1.5) * (1 - t * t * 0.55);
      const radius = height * (0.28 + 0.5 * rise) * (0.7 + 0.6 * chanceAt(seed, 'puff', puff)) * share;
      const y = -height * rise * 0.55 * chanceAt(seed, 'lift', puff) - radius * 0.45;
      path.moveTo(t * width + radius, y);
      path.arc(t * width, y, radius, 0, Math.PI * 2);
    }
    path.roundRect(width * -0.98, height * -0.42, width * 1.96, height * 0.5, height * 0.25);
    return path;
  };
  if (heaps.size >= MOST_HEAPS) heaps.clear();
  const heap = { width, height, body: shape(1), head: shape(0.84) };
  heaps.set(key, heap);
  return heap;
}

/** Paints long bars near the horizon, bright along the edge that faces the light. */
function paintVeil(brush: Brush, stage: Stage, cloud: Cloud): void {
  const { bright, middle, under } = coloursOf(stage, cloud);
  const low = (stage.scene.light?.y ?? 0) > 0.7;
  for (let bar = 0; bar < 4; bar++) {
    const half = (0.1 + 0.2 * chanceAt(cloud.seed, 'bar', bar)) * cloud.scale;
    const thick = (0.008 + 0.011 * chanceAt(cloud.seed, 'thick', bar)) * cloud.scale;
    const x = cloud.x + (chanceAt(cloud.seed, 'bx', bar) - 0.5) * 0.3 * cloud.scale;
    const y = cloud.y + (bar - 1.5) * 0.017 * cloud.scale;
    const shades = low
      ? [withAlpha(under, 0.5), withAlpha(middle, 0.75), withAlpha(bright, 0.95)]
      : [withAlpha(bright, 0.9), withAlpha(middle, 0.6), withAlpha(under, 0.4)];
    brush.fillStyle = vertical(brush, y - thick, y + thick, shades);
    brush.beginPath();
    brush.moveTo(x - half, y + thick * 0.35);
    brush.bezierCurveTo(x - half * 0.5, y - thick * 1.5, x + half * 0.35, y - thick * 1.2, x + half, y + thick * 0.15);
    brush.bezierCurveTo(x + half * 0.4, y + thick * 1.1, x - half * 0.4, y + thick * 1.1, x - half, y + thick * 0.35);
    brush.fill();
  }
}
