import { lighten, mix, withAlpha } from '../../model/colour.ts';
import { chanceAt, createRandom } from '../../model/random.ts';
import { type Box, type Brush, fillBox, glow, type Stage, vertical, worldX } from '../../model/stage.ts';

/** Returns the position of sun or moon, in world units; null if the scene has neither. */
export function lightPlace(stage: Stage): { x: number; y: number; radius: number } | null {
  const { light } = stage.scene;
  return light === null ? null : { x: worldX(stage, light.x), y: light.y * stage.horizon, radius: light.size };
}

/** Paints the sky from the zenith to the horizon, with the glow of its light source. */
export function paintSky(brush: Brush, stage: Stage): void {
  const { palette } = stage.scene;
  brush.fillStyle = vertical(brush, 0, stage.horizon, palette.sky);
  fillBox(brush, stage.seen);
  const place = lightPlace(stage);
  if (place === null || stage.scene.light === null) return;
  const night = stage.scene.light.kind === 'moon';
  const reach = Math.max(1.1, stage.frame.right * 1.3);
  brush.globalCompositeOperation = 'screen';
  glow(brush, place.x, place.y, reach, [
    [0, withAlpha(palette.sun, night ? 0.34 : 0.7)],
    [0.12, withAlpha(mix(palette.sun, palette.sky[3], 0.4), night ? 0.2 : 0.42)],
    [0.42, withAlpha(palette.sky[3], night ? 0.08 : 0.16)],
    [1, withAlpha(palette.sky[3], 0)],
  ]);
  brush.globalCompositeOperation = 'source-over';
}

/** Paints the disc itself: a sun, or a moon with its seas. */
export function paintLight(brush: Brush, stage: Stage): void {
  const place = lightPlace(stage);
  const { light, palette, seed, weather } = stage.scene;
  if (place === null || light === null) return;
  const { x, y, radius } = place;
  brush.globalAlpha = 1 - Math.max(weather.fog * 0.6, weather.rain * 0.8);
  const bright = light.kind === 'sun' ? 1 : 0.6;
  glow(brush, x, y, radius * 3.4, [
    [0, withAlpha(palette.sun, 0.6 * bright)],
    [0.3, withAlpha(palette.sun, 0.34 * bright)],
    [0.6, withAlpha(palette.sun, 0.1 * bright)],
    [1, withAlpha(palette.sun, 0)],
  ]);
  brush.fillStyle = vertical(brush, y - radius, y + radius, [lighten(palette.sun, 0.45), palette.sun]);
  disc(brush, x, y, radius);
  if (light.kind === 'moon') {
    const random = createRandom(seed, 'moon');
    brush.save();
    brush.beginPath();
    brush.arc(x, y, radius, 0, Math.PI * 2);
    brush.clip();
    brush.fillStyle = withAlpha(mix(palette.sun, palette.sky[1], 0.5), 0.3);
    for (let sea = 0; sea < 8; sea++) {
      disc(
        brush,
        x + random.between(-0.75, 0.75) * radius,
        y + random.between(-0.75, 0.75) * radius,
        radius * random.between(0.1, 0.32),
      );
    }
    brush.restore();
  }
  brush.globalAlpha = 1;
}

/** Paints stars on an endless grid, so that a wider view shows more of the same sky; they twinkle in films. */
export function paintStars(brush: Brush, stage: Stage, time: number, seen: Box): void {
  const { seed, palette, weather } = stage.scene;
  const cell = 0.07 / Math.sqrt(stage.detail);
  const bottom = Math.min(stage.horizon, seen.bottom);
  for (let row = Math.floor(seen.top / cell); row * cell < bottom; row++) {
    for (let column = Math.floor(seen.left / cell); column * cell < seen.right; column++) {
      const bright = chanceAt(seed, 'star', row, column);
      if (bright > 0.62) continue;
      const x = (column + chanceAt(seed, 'x', row, column)) * cell;
      const y = (row + chanceAt(seed, 'y', row, column)) * cell;
      const twinkle = 0.75 + 0.25 * Math.sin(time * (1 + bright * 4) + bright * 90);
      const fade = Math.max(0, 1 - (y / stage.horizon) ** 2 * 0.9);
      const size = 0.0011 + 0.0026 * (1 - bright / 0.62) ** 5;
      brush.fillStyle = withAlpha(
        mix('#ffffff', palette.sun, chanceAt(seed, 'hue', row, column)),
        weather.stars * fade * twinkle * (0.35 + 0.65 * (1 - bright)),
      );
      disc(brush, x, y, size);
    }
  }
}

/** Paints curtains of northern lights. */
export function paintAurora(brush: Brush, stage: Stage, time: number): void {
  const { seed, weather } = stage.scene;
  const random = createRandom(seed, 'aurora');
  brush.globalCompositeOperation = 'screen';
  for (let curtain = 0; curtain < 3; curtain++) {
    const hue = random.pick(['#3ef0a0', '#58f5c8', '#7a6cff', '#45e07a']);
    const base = stage.horizon * random.between(0.42, 0.72);
    const height = stage.horizon * random.between(0.35, 0.55);
    const phase = random.between(0, 9);
    const step = 0.022;
    for (let x = Math.floor(stage.seen.left / step) * step; x < stage.seen.right; x += step) {
      const sway = Math.sin(x * 2.1 + phase + time * 0.35) * 0.09 + Math.sin(x * 5.3 + phase * 2 - time * 0.5) * 0.035;
      const strength = 0.5 + 0.5 * Math.sin(x * 3.7 + phase * 3 + time * 0.6);
      const foot = base + sway;
      const top = foot - height * (0.7 + 0.3 * Math.sin(x * 9 + phase));
      const gradient = brush.createLinearGradient(0, top, 0, foot);
      gradient.addColorStop(0, withAlpha('#8a5cff', 0));
      gradient.addColorStop(0.55, withAlpha(hue, 0.14 * strength * weather.aurora));
      gradient.addColorStop(0.95, withAlpha(hue, 0.42 * strength * weather.aurora));
      gradient.addColorStop(1, withAlpha(hue, 0));
      brush.fillStyle = gradient;
      brush.fillRect(x, top, step * 1.02, foot - top);
    }
  }
  brush.globalCompositeOperation = 'source-over';
}

export function paintRainbow(brush: Brush, stage: Stage): void {
  const radius = Math.max(0.55, stage.frame.right * 0.72);
  const colours = ['#e8423a', '#f08a35', '#f2d23c', '#5fb84f', '#3b86d8', '#5a4fc0', '#8d4bb0'];
  const x = worldX(stage, -(stage.scene.light?.x ?? 0.3) * 0.5);
  brush.lineWidth = 0.017;
  colours.forEach((colour, index) => {
    brush.strokeStyle = withAlpha(colour, 0.34 * stage.scene.weather.rainbow);
    brush.beginPath();
    brush.arc(x, stage.horizon + radius * 0.12, radius - index * 0.0155, Math.PI, Math.PI * 2);
    brush.stroke();
  });
}

/** Fills a disc as a separate path: adding an arc to a long path takes time in proportion to its length. */
export function disc(brush: Brush, x: number, y: number, radius: number): void {
  brush.beginPath();
  brush.arc(x, y, radius, 0, Math.PI * 2);
  brush.fill();
}
