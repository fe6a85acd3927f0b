import { lighten, mix, withAlpha } from '../../model/colour.ts';
import { seenColour } from '../../model/palette.ts';
import { smoothNoise } from '../../model/random.ts';
import type { GroundName } from '../../model/scene.ts';
import { type Brush, fillBox, glow, groundY, type Stage, vertical } from '../../model/stage.ts';
import { lightPlace } from '../sky/paint-sky.ts';

/** Paints land from the horizon to the lower edge: hazy far away, darker and hilly towards the viewer. */
export function paintGround(brush: Brush, stage: Stage): void {
  if (stage.scene.ground === 'pavement') {
    paintStreet(brush, stage);
    return;
  }
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

/** Paints a street along the houses: pavement, kerb and lanes. A wet street shines. */
function paintStreet(brush: Brush, stage: Stage): void {
  const { palette, weather } = stage.scene;
  const stone = seenColour(palette, '#a7a29b', 0.16);
  const asphalt = mix(seenColour(palette, '#5d5f68', 0.06), palette.shadow, 0.25);
  const strip = (from: number, to: number, colours: readonly string[]): void => {
    brush.fillStyle = vertical(brush, groundY(stage, from), groundY(stage, to), colours);
    fillBox(brush, {
      ...stage.seen,
      top: groundY(stage, from),
      bottom: to >= 1 ? stage.seen.bottom : groundY(stage, to),
    });
  };
  strip(0, 0.3, [mix(stone, palette.haze, 0.3), stone]);
  strip(0.3, 0.335, [mix(stone, palette.shadow, 0.45), mix(stone, palette.shadow, 0.6)]);
  strip(0.335, 1, [asphalt, mix(asphalt, palette.haze, 0.12), mix(asphalt, palette.shadow, 0.35)]);
  brush.fillStyle = withAlpha(mix(stone, palette.shadow, 0.5), 0.35);
  const tile = 0.14;
  for (let index = Math.floor(stage.seen.left / tile); index * tile < stage.seen.right; index++) {
    brush.fillRect(index * tile, groundY(stage, 0), 0.0016, groundY(stage, 0.3) - groundY(stage, 0));
  }
  brush.fillStyle = withAlpha(seenColour(palette, '#f2ead2', 0.1), 0.8);
  const dash = 0.34;
  const lane = groundY(stage, 0.68);
  for (let index = Math.floor(stage.seen.left / dash) - 1; index * dash < stage.seen.right; index++) {
    brush.fillRect(index * dash, lane, dash * 0.56, 0.008);
  }
  if (weather.rain === 0) return;
  brush.globalCompositeOperation = 'screen';
  for (let puddle = 0; puddle < 14; puddle++) {
    const depth = 0.1 + 0.85 * (puddle / 14);
    const x = (smoothNoise(stage.scene.seed + 5, puddle * 1.7) * 1.1 + 0.1) * stage.frame.right;
    brush.fillStyle = withAlpha(mix(palette.sky[2], '#ffd68a', 0.4), 0.16);
    brush.beginPath();
    brush.ellipse(x, groundY(stage, depth), 0.06 + depth * 0.16, 0.004 + depth * 0.012, 0, 0, Math.PI * 2);
    brush.fill();
  }
  brush.globalCompositeOperation = 'source-over';
}

/** Paints the shore on the viewer's side of the water. */
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

/** Returns the colour of a kind of ground in white light. */
function groundColour(stage: Stage, ground: GroundName): string {
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
