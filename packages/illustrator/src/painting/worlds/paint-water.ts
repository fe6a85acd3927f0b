import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { lighten, mix, withAlpha } from '../../model/colour.ts';
import { chanceAt } from '../../model/random.ts';
import { type Box, type Brush, type Stage, vertical } from '../../model/stage.ts';
import { lightPlace } from '../sky/paint-sky.ts';

/** Paints water down to the lower edge: darker towards the viewer, lit by the sky on its far side. */
export function paintWater(brush: Brush, stage: Stage): void {
  const { palette } = stage.scene;
  const far = mix(palette.sky[3], palette.water, 0.42);
  const deep = mix(palette.water, palette.shadow, 0.55);
  brush.fillStyle = vertical(brush, stage.horizon, stage.frame.bottom, [
    far,
    mix(far, palette.water, 0.7),
    palette.water,
    deep,
  ]);
  brush.fillRect(
    stage.seen.left,
    stage.horizon,
    stage.seen.right - stage.seen.left,
    Math.max(0, stage.seen.bottom - stage.horizon),
  );
}

/** The reflection in the water: painted small, because water blurs, and fading towards the viewer. */
interface Reflection {
  readonly still: Canvas;
  /** The reflection after the waves have distorted it. */
  readonly swaying: Canvas;
}

/** Share of the light that water reflects at the horizon; below, its decrease per unit nearer. */
const MIRRORED = 0.62;
const FADING = 0.85;

/**
 * Paints the part of the picture above the horizon once, as the source of the reflection. Null if no water is visible.
 */
export function reflectionOf(stage: Stage, above: (brush: Brush) => void): Reflection | null {
  const depth = Math.min(stage.seen.bottom - stage.horizon, MIRRORED / FADING);
  if (depth <= 0.01) return null;
  const scale = Math.min(stage.unit * 0.5, 900 / Math.max(1, stage.seen.right - stage.seen.left));
  const width = Math.ceil((stage.seen.right - stage.seen.left) * scale);
  const height = Math.ceil(depth * scale);
  const still = createCanvas(width, height);
  const brush = still.getContext('2d');
  // The reflection compresses heights, so it shows more of the shore than the water's own height.
  brush.setTransform(scale, 0, 0, -scale * 0.9, -stage.seen.left * scale, stage.horizon * scale * 0.9);
  above(brush);
  brush.resetTransform();
  const fade = brush.createLinearGradient(0, 0, 0, (MIRRORED / FADING) * scale);
  fade.addColorStop(0, `rgba(0, 0, 0, ${MIRRORED})`);
  fade.addColorStop(1, 'rgba(0, 0, 0, 0)');
  brush.globalCompositeOperation = 'destination-in';
  brush.fillStyle = fade;
  brush.fillRect(0, 0, width, height);
  return { still, swaying: createCanvas(width, height) };
}

/**
 * Draws the reflection in strips that sway with the waves. The strips are joined before they are enlarged, so that no
 * seam is visible.
 */
export function paintReflection(brush: Brush, stage: Stage, { still, swaying }: Reflection, time: number): void {
  const { seen, horizon } = stage;
  const { width, height } = still;
  const scale = width / (seen.right - seen.left);
  const { wind } = stage.scene.weather;
  const strips = swaying.getContext('2d');
  strips.clearRect(0, 0, width, height);
  let top = 0;
  for (let strip = 0; top < height; strip++) {
    const depth = top / scale;
    const rows = Math.max(1, Math.min(height - top, Math.round((0.004 + depth * 0.045) * scale)));
    const sway =
      (Math.sin(strip * 1.7 + time * 2.1) + Math.sin(strip * 0.63 - time * 1.3)) *
      (0.0015 + depth * 0.016) *
      (0.4 + wind);
    strips.drawImage(still, 0, top, width, rows, sway * scale, top, width, rows);
    top += rows;
  }
  brush.drawImage(swaying, seen.left, horizon, width / scale, height / scale);
}

/** Draws waves as thin lenses, longer and farther apart towards the viewer, and the path of light below sun or moon. */
export function paintWaves(brush: Brush, stage: Stage, time: number, seen: Box): void {
  const { palette, seed, weather, motion } = stage.scene;
  const bright = mix(palette.sky[2], '#ffffff', 0.3);
  const dark = mix(palette.water, palette.shadow, 0.5);
  const light = lightPlace(stage);
  const flow = time * 0.035 * (0.5 + weather.wind) * Math.max(0.4, motion);
  let depth = 0.006;
  for (let row = 0; stage.horizon + depth < seen.bottom + 0.02; row++) {
    const y = stage.horizon + depth;
    const near = Math.min(1, depth / 0.5);
    const cell = 0.05 + near * 0.3;
    const speed = flow * (1 + (row % 3)) * (row % 2 === 0 ? 1 : -1) * (0.4 + near);
    for (let index = Math.floor((seen.left - speed) / cell) - 1; index * cell + speed < seen.right + cell; index++) {
      const chance = chanceAt(seed, 'wave', row, index);
      if (chance > 0.34 + weather.wind * 0.3) continue;
      const x = (index + chanceAt(seed, 'wx', row, index)) * cell + speed;
      const swell = 0.75 + 0.25 * Math.sin(time * 1.6 + chance * 40);
      brush.fillStyle = withAlpha(chance < 0.14 ? bright : dark, (chance < 0.14 ? 0.42 : 0.2) * swell);
      lens(brush, x, y, cell * (0.2 + chance) * swell, 0.0012 + near * 0.0045 * (0.6 + weather.wind));
    }
    if (light !== null && stage.scene.light !== null) paintGlitter(brush, stage, light.x, y, row, near, time);
    depth += 0.006 + near * 0.03;
  }
}

function paintGlitter(brush: Brush, stage: Stage, x: number, y: number, row: number, near: number, time: number): void {
  const { palette, seed, weather, light } = stage.scene;
  const strength = (1 - weather.rain * 0.9) * (1 - weather.fog * 0.5) * ((light?.y ?? 0) > 1 ? 0.35 : 1);
  for (let spark = 0; spark < 7; spark++) {
    const chance = chanceAt(seed, 'glitter', row, spark);
    const beat = 0.5 + 0.5 * Math.sin(time * (2 + chance * 3) + chance * 60);
    const offset = (chanceAt(seed, 'gx', row, spark) - 0.5) * (0.05 + near * 0.26);
    brush.fillStyle = withAlpha(lighten(palette.sun, 0.25), strength * (0.18 + 0.62 * beat) * (1 - near * 0.55));
    lens(brush, x + offset, y + (chance - 0.5) * 0.008, (0.008 + near * 0.04) * (0.4 + chance), 0.0011 + near * 0.003);
  }
}

function lens(brush: Brush, x: number, y: number, halfLength: number, halfHeight: number): void {
  brush.beginPath();
  brush.moveTo(x - halfLength, y);
  brush.quadraticCurveTo(x, y - halfHeight * 1.6, x + halfLength, y);
  brush.quadraticCurveTo(x, y + halfHeight * 1.6, x - halfLength, y);
  brush.fill();
}
