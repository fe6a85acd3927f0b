import { lighten, mix, withAlpha } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { chanceAt } from '../../model/random.ts';
import { type Box, type Brush, fillBox, glow, type Stage, vertical } from '../../model/stage.ts';
import { disc } from '../sky/paint-sky.ts';

/** Lists the layers of rain, snow and fog in front of the scene. */
export function weatherLayers(stage: Stage): Layer[] {
  const { fog, rain, snow, lightning } = stage.scene.weather;
  const film = stage.duration > 0;
  const layers: Layer[] = [];
  if (fog > 0.2)
    layers.push({ depth: 0.7, moving: film, flat: true, draw: (brush, time) => paintFog(brush, stage, time, 0.3) });
  if (lightning > 0)
    layers.push({ depth: 0.1, moving: film, flat: true, draw: (brush, time) => paintLightning(brush, stage, time) });
  if (rain > 0)
    layers.push({
      depth: 1,
      moving: film,
      flat: true,
      draw: (brush, time, seen) => paintRain(brush, stage, time, seen),
    });
  if (snow > 0)
    layers.push({
      depth: 1,
      moving: film,
      draw: (brush, time, seen) => paintSnow(brush, stage, time, seen),
    });
  return layers;
}

/** Paints mist around the horizon; `strength` is 1 behind the figures and less in front of them. */
export function paintFog(brush: Brush, stage: Stage, time: number, strength: number): void {
  const { palette, weather, seed } = stage.scene;
  const mist = lighten(palette.haze, 0.15);
  brush.fillStyle = vertical(brush, stage.horizon - 0.3, stage.horizon + 0.35, [
    withAlpha(mist, 0),
    withAlpha(mist, weather.fog * 0.85 * strength),
    withAlpha(mist, weather.fog * 0.25 * strength),
  ]);
  fillBox(brush, { ...stage.seen, top: stage.horizon - 0.3 });
  for (let bank = 0; bank < 5; bank++) {
    const y = stage.horizon - 0.08 + bank * 0.075;
    const width = 1.2 + chanceAt(seed, 'bank', bank);
    const x =
      ((((chanceAt(seed, 'bx', bank) + time * 0.012 * (1 + bank * 0.3)) % 1) + 1) % 1) *
        (stage.seen.right - stage.seen.left + width) +
      stage.seen.left -
      width / 2;
    const gradient = brush.createRadialGradient(0, 0, 0, 0, 0, width / 2);
    gradient.addColorStop(0, withAlpha(mist, weather.fog * 0.5 * strength));
    gradient.addColorStop(1, withAlpha(mist, 0));
    brush.save();
    brush.translate(x, y);
    brush.scale(1, 0.13);
    brush.fillStyle = gradient;
    brush.fillRect(-width / 2, -width / 2, width, width);
    brush.restore();
  }
}

/** Paints rain as streaks on three endless falling grids; streaks of near grids are longer and faster. */
function paintRain(brush: Brush, stage: Stage, time: number, seen: Box): void {
  const { palette, weather, seed } = stage.scene;
  const slant = 0.12 + weather.wind * 0.3;
  for (let sheet = 0; sheet < 3; sheet++) {
    const cell = 0.07 + sheet * 0.04;
    const length = 0.03 + sheet * 0.028;
    const fall = time * (1.1 + sheet * 0.5);
    brush.strokeStyle = withAlpha(
      mix(palette.sky[2], '#ffffff', 0.55),
      (0.16 + sheet * 0.08) * (0.5 + weather.rain * 0.5),
    );
    brush.lineWidth = 0.0012 + sheet * 0.0009;
    brush.beginPath();
    forCells(seen, cell, slant * fall, fall, (column, row, x, y) => {
      if (chanceAt(seed, 'rain', sheet, column, row) > weather.rain) return;
      brush.moveTo(x, y);
      brush.lineTo(x - slant * length, y + length);
    });
    brush.stroke();
  }
}

function paintSnow(brush: Brush, stage: Stage, time: number, seen: Box): void {
  const { weather, seed } = stage.scene;
  for (let sheet = 0; sheet < 3; sheet++) {
    const cell = 0.075 + sheet * 0.05;
    const fall = time * (0.07 + sheet * 0.05);
    brush.fillStyle = `rgba(255, 255, 255, ${0.5 + sheet * 0.18})`;
    forCells(seen, cell, fall * weather.wind * 1.4, fall, (column, row, x, y) => {
      const chance = chanceAt(seed, 'snow', sheet, column, row);
      if (chance > weather.snow) return;
      const flake = 0.0016 + sheet * 0.0016 + chance * 0.002;
      const drift = Math.sin(time * 1.3 + chance * 30) * 0.012;
      disc(brush, x + drift, y, flake);
    });
  }
}

function paintLightning(brush: Brush, stage: Stage, time: number): void {
  const { seed } = stage.scene;
  const beat = Math.floor(time / 1.7);
  const since = time - beat * 1.7;
  const strength = Math.exp(-since * 5) * (0.75 + 0.25 * Math.cos(since * 60));
  if (strength < 0.03) return;
  let x = (chanceAt(seed, 'bolt', beat) - 0.5) * 1.2 * stage.frame.right;
  let y = 0;
  brush.fillStyle = withAlpha('#dfe6ff', 0.22 * strength);
  fillBox(brush, stage.seen);
  brush.beginPath();
  brush.moveTo(x, y);
  for (let step = 0; y < stage.horizon; step++) {
    x += (chanceAt(seed, 'bolt', beat, step) - 0.5) * 0.13;
    y += 0.03 + 0.05 * chanceAt(seed, 'fall', beat, step);
    brush.lineTo(x, Math.min(y, stage.horizon));
  }
  for (const [width, alpha] of [
    [0.022, 0.12],
    [0.01, 0.3],
    [0.0035, 1],
  ] as const) {
    brush.strokeStyle = withAlpha('#eef2ff', alpha * strength);
    brush.lineWidth = width;
    brush.stroke();
  }
  glow(brush, x, stage.horizon, 0.2, [
    [0, withAlpha('#ffffff', 0.4 * strength)],
    [1, withAlpha('#ffffff', 0)],
  ]);
}

/** Visits the cells of a grid that has moved by (−dx, dy), so that their contents fall endlessly. */
function forCells(
  seen: Box,
  cell: number,
  dx: number,
  dy: number,
  visit: (column: number, row: number, x: number, y: number) => void,
): void {
  for (let row = Math.floor((seen.top - dy) / cell) - 1; row * cell + dy < seen.bottom; row++) {
    for (let column = Math.floor((seen.left + dx) / cell) - 1; column * cell - dx < seen.right + cell; column++) {
      const jitter = chanceAt(column * 7919 + row, 'cell');
      visit(column, row, (column + jitter) * cell - dx, (row + ((jitter * 17) % 1)) * cell + dy);
    }
  }
}
