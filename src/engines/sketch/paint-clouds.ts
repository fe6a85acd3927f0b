import { mix, withAlpha } from './colour.ts';
import { chanceAt } from './random.ts';
import { type Brush, type Stage, vertical } from './stage.ts';

/** Clouds on endless rows, lit from where the light stands; they drift with the wind. */
export function paintClouds(brush: Brush, stage: Stage, time: number): void {
  const { seed, weather, palette, motion } = stage.scene;
  const rows = 4;
  for (let row = 0; row < rows; row++) {
    const share = (row + 0.5) / rows;
    const y = stage.horizon * (0.06 + 0.8 * share);
    const scale = 1.15 - share * 0.8;
    const cell = 0.75 * scale;
    const drift = time * 0.03 * (0.35 + weather.wind) * scale * motion;
    for (
      let index = Math.floor((stage.seen.left - drift) / cell) - 1;
      index * cell + drift < stage.seen.right + cell;
      index++
    ) {
      const chance = chanceAt(seed, 'cloud', row, index);
      if (chance > weather.clouds * 0.95) continue;
      const x = (index + chanceAt(seed, 'cx', row, index)) * cell + drift;
      paintCloud(
        brush,
        stage,
        x,
        y + (chanceAt(seed, 'cy', row, index) - 0.5) * 0.08,
        scale * (0.6 + 0.7 * chanceAt(seed, 'cs', row, index)),
        seed + row * 977 + index,
        palette,
      );
    }
  }
}

function paintCloud(
  brush: Brush,
  stage: Stage,
  x: number,
  y: number,
  scale: number,
  seed: number,
  palette: Stage['scene']['palette'],
): void {
  const share = Math.max(0, Math.min(1, y / stage.horizon));
  const behind = mix(palette.sky[1], palette.sky[3], share);
  const bright = mix(mix(behind, palette.sun, 0.55), '#ffffff', stage.scene.weather.rain > 0.3 ? 0 : 0.25);
  const under = mix(behind, mix(palette.shadow, palette.sky[2], 0.6), 0.35);
  const width = 0.3 * scale;
  const height = 0.085 * scale;
  brush.beginPath();
  const puffs = 7;
  for (let puff = 0; puff < puffs; puff++) {
    const t = (puff / (puffs - 1)) * 2 - 1;
    const radius = height * (0.35 + 0.75 * (1 - t * t)) * (0.75 + 0.5 * chanceAt(seed, 'puff', puff));
    const centre = x + t * width * 0.5;
    brush.moveTo(centre + radius, y - radius * 0.55);
    brush.ellipse(centre, y - radius * 0.55, radius * 1.25, radius, 0, 0, Math.PI * 2);
  }
  brush.save();
  brush.clip();
  brush.fillStyle = vertical(brush, y - height * 1.5, y + height * 0.32, [
    withAlpha(bright, 0.95),
    withAlpha(mix(bright, under, 0.45), 0.85),
    withAlpha(under, 0.25),
  ]);
  brush.fillRect(x - width, y - height * 2.2, width * 2, height * 2.5);
  brush.restore();
}
