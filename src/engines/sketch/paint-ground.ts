import { lighten, mix, withAlpha } from './colour.ts';
import { lightPlace } from './paint-sky.ts';
import { seenColour } from './palette.ts';
import { smoothNoise } from './random.ts';
import type { GroundName } from './scene.ts';
import { type Brush, fillBox, glow, groundY, type Stage, vertical } from './stage.ts';

/** Land from the horizon to the lower edge: hazy far away, deeper towards the viewer, with swells in it. */
export function paintGround(brush: Brush, stage: Stage): void {
  const { palette, seed } = stage.scene;
  const own = groundColour(stage, stage.scene.ground);
  brush.fillStyle = vertical(brush, stage.horizon, stage.frame.bottom, [
    seenColour(palette, own, 0.5),
    seenColour(palette, own, 0.2),
    seenColour(palette, own, 0.04),
    mix(seenColour(palette, own, 0), palette.shadow, 0.28),
  ]);
  fillBox(brush, { ...stage.seen, top: stage.horizon });
  const swells = 6;
  for (let swell = 0; swell < swells; swell++) {
    const depth = 0.03 + 0.95 * (swell / swells) ** 1.6;
    const colour = mix(seenColour(palette, own, 0.48 * (1 - depth) ** 2), palette.shadow, 0.03 + depth * 0.22);
    paintSwell(brush, stage, seed + swell * 37, groundY(stage, depth), 0.022 + depth * 0.075, colour);
  }
  const light = lightPlace(stage);
  if (light === null) return;
  brush.globalCompositeOperation = 'soft-light';
  brush.save();
  brush.beginPath();
  brush.rect(stage.seen.left, stage.horizon, stage.seen.right - stage.seen.left, stage.seen.bottom - stage.horizon);
  brush.clip();
  glow(brush, light.x, stage.horizon, 0.9, [
    [0, withAlpha(palette.sun, 0.75)],
    [1, withAlpha(palette.sun, 0)],
  ]);
  brush.restore();
  brush.globalCompositeOperation = 'source-over';
  brush.fillStyle = vertical(brush, stage.horizon - 0.02, stage.horizon + 0.09, [
    withAlpha(palette.haze, 0),
    withAlpha(palette.haze, 0.5),
    withAlpha(palette.haze, 0),
  ]);
  fillBox(brush, { ...stage.seen, top: stage.horizon - 0.02, bottom: stage.horizon + 0.09 });
}

/** The bank on this side of the water. */
export function paintShore(brush: Brush, stage: Stage): void {
  const { palette, seed, shore } = stage.scene;
  if (shore === null) return;
  const own = groundColour(stage, shore);
  const colour = mix(seenColour(palette, own, 0.02), palette.shadow, 0.18);
  const y = groundY(stage, 0.76);
  if (shore === 'sand') paintSwell(brush, stage, seed + 5, y - 0.012, 0.05, mix(palette.sky[3], '#ffffff', 0.6));
  paintSwell(brush, stage, seed + 5, y, 0.05, colour);
  paintSwell(brush, stage, seed + 6, y + 0.09, 0.05, mix(colour, palette.shadow, 0.22));
}

/** The colour of a kind of ground in white light. */
export function groundColour(stage: Stage, ground: GroundName): string {
  const { palette } = stage.scene;
  switch (ground) {
    case 'meadow':
      return mix(palette.land, palette.foliage, 0.35);
    case 'snow':
      return '#eef4fa';
    default:
      return palette.land;
  }
}

function paintSwell(brush: Brush, stage: Stage, seed: number, y: number, height: number, colour: string): void {
  brush.beginPath();
  brush.moveTo(stage.seen.left, Math.max(stage.seen.bottom, y));
  for (let x = stage.seen.left; x <= stage.seen.right + 0.02; x += 0.02)
    brush.lineTo(x, y + height * smoothNoise(seed, x * 1.25) + height * 0.25 * smoothNoise(seed + 1, x * 3.7));
  brush.lineTo(stage.seen.right + 0.02, Math.max(stage.seen.bottom, y));
  brush.closePath();
  brush.fillStyle = vertical(brush, y - height, y + height * 5, [
    mix(lighten(colour, 0.12), stage.scene.palette.sun, 0.1),
    colour,
    lighten(colour, -0.1),
  ]);
  brush.fill();
}
