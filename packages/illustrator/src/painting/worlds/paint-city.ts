import { kindsWith } from '../../figures/figures.ts';
import { lightness, mix, withAlpha } from '../../model/colour.ts';
import { seenColour } from '../../model/palette.ts';
import { chanceAt, deriveSeed, smoothNoise } from '../../model/random.ts';
import { type Brush, glow, type Stage, vertical } from '../../model/stage.ts';
import { paintFigure } from '../figures/paint-figure.ts';
import { paintHills, type Ridge } from './paint-ridges.ts';

/** Paints a row of houses, with lit windows after dark. */
export function paintSkyline(brush: Brush, stage: Stage, ridge: Ridge): void {
  const { palette } = stage.scene;
  const near = 1 - ridge.distance;
  const foot = stage.horizon + 0.02;
  const cell = 0.06 + near * 0.05;
  const dark = lightness(palette.ambient) < 0.8;
  for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
    const x = index * cell;
    const centre = Math.max(0, 1 - Math.abs(x) / (stage.frame.right * 1.4));
    const height =
      (0.1 + 0.36 * chanceAt(ridge.seed, 'h', index) ** 1.6) * (0.55 + 0.75 * centre) * (0.75 + ridge.distance * 0.4);
    const width = cell * (0.82 + 0.3 * chanceAt(ridge.seed, 'w', index));
    const own = ['#7d8796', '#8f8378', '#6f7d8c', '#95897f', '#5f6b7c'][
      Math.floor(chanceAt(ridge.seed, 'c', index) * 5)
    ] as string;
    const colour = mix(seenColour(palette, own, 0.12 + ridge.distance * 0.45), palette.shadow, dark ? 0.35 : 0.1);
    brush.fillStyle = vertical(brush, foot - height, foot, [colour, mix(colour, palette.haze, 0.45)]);
    brush.beginPath();
    roofline(brush, x, foot, width, height, chanceAt(ridge.seed, 'roof', index));
    brush.fill();
    brush.fillStyle = withAlpha(palette.shadow, 0.18);
    brush.fillRect(x + width * 0.62, foot - height, width * 0.38, height);
    paintWindows(brush, stage, ridge, index, { x, foot, width, height }, dark);
  }
}

function roofline(brush: Brush, x: number, foot: number, width: number, height: number, kind: number): void {
  const top = foot - height;
  if (kind < 0.2) {
    brush.moveTo(x + width / 2, top - width * 0.5);
    brush.lineTo(x + width, top);
    brush.lineTo(x, top);
    brush.closePath();
  } else if (kind < 0.36) {
    brush.rect(x + width * 0.47, top - width * 0.8, width * 0.06, width * 0.8);
    brush.rect(x + width * 0.2, top - width * 0.18, width * 0.6, width * 0.2);
  } else if (kind < 0.5) brush.rect(x + width * 0.15, top - width * 0.22, width * 0.5, width * 0.24);
  brush.rect(x, top, width, height);
}

function paintWindows(
  brush: Brush,
  stage: Stage,
  ridge: Ridge,
  house: number,
  box: { x: number; foot: number; width: number; height: number },
  dark: boolean,
): void {
  const { palette } = stage.scene;
  const columns = 4;
  const pitch = box.width / (columns + 0.6);
  const rows = Math.floor(box.height / (pitch * 1.35)) - 1;
  const lit: [number, number][] = [];
  const unlit: [number, number][] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const place: [number, number] = [
        box.x + pitch * (0.55 + column),
        box.foot - box.height + pitch * (0.7 + row * 1.35),
      ];
      (dark && chanceAt(ridge.seed, 'lit', house, row, column) < 0.42 ? lit : unlit).push(place);
    }
  }
  const fade = 1 - ridge.distance * 0.55;
  brush.fillStyle = withAlpha(mix(palette.sky[2], palette.shadow, dark ? 0.7 : 0.25), 0.4 * fade);
  for (const [x, y] of unlit) brush.fillRect(x, y, pitch * 0.55, pitch * 0.75);
  brush.fillStyle = withAlpha('#ffd68a', 0.95 * fade);
  for (const [x, y] of lit) brush.fillRect(x, y, pitch * 0.55, pitch * 0.75);
}

const [DWELLING = ''] = kindsWith(({ village }) => village === 'dwelling');
const [LANDMARK = ''] = kindsWith(({ village }) => village === 'landmark');

/** Paints small houses and a church on a hill. */
export function paintVillage(brush: Brush, stage: Stage, ridge: Ridge): void {
  paintHills(brush, stage, ridge);
  const cell = 0.11;
  const first = Math.ceil((-0.42 * stage.frame.right) / cell);
  const last = Math.floor((0.5 * stage.frame.right) / cell);
  for (let index = first; index <= last; index++) {
    const x = (index + (chanceAt(ridge.seed, 'x', index) - 0.5) * 0.5) * cell;
    const church = index === Math.round((first + last) / 2);
    const depth = 0.004 + 0.03 * chanceAt(ridge.seed, 'd', index);
    paintFigure(
      brush,
      stage,
      {
        kind: church ? LANDMARK : DWELLING,
        x: x / stage.frame.right,
        y: depth,
        where: 'ground',
        size: church ? 0.15 : 0.06 + 0.03 * chanceAt(ridge.seed, 's', index),
        flip: chanceAt(ridge.seed, 'f', index) < 0.5,
        colour: church
          ? null
          : (['#efe4cf', '#e3cdb0', '#f2efe6', '#d9b99a'][Math.floor(chanceAt(ridge.seed, 'c', index) * 4)] as string),
        seed: deriveSeed(ridge.seed, index),
      },
      0,
    );
  }
}

/** Paints a volcano: one large cone with fire in it. */
export function paintVolcano(brush: Brush, stage: Stage, ridge: Ridge): void {
  const { palette } = stage.scene;
  const x = (chanceAt(ridge.seed, 'x') - 0.5) * 0.7 * stage.frame.right;
  const foot = stage.horizon + 0.01;
  const height = Math.min(0.5, stage.horizon * 0.72);
  const top = foot - height;
  glow(brush, x, top, height * 0.9, [
    [0, 'rgba(255, 120, 50, 0.6)'],
    [0.35, 'rgba(255, 90, 40, 0.2)'],
    [1, 'rgba(255, 80, 30, 0)'],
  ]);
  for (let puff = 0; puff < 16; puff++) {
    const rise = puff / 16;
    brush.fillStyle = withAlpha(mix('#5a4a4c', palette.sky[1], rise * 0.7), 0.55 * (1 - rise * 0.7));
    brush.beginPath();
    brush.arc(
      x + smoothNoise(ridge.seed, rise * 5) * 0.1 * rise + rise * 0.2,
      top - rise * height * 0.8,
      0.025 + rise * 0.1,
      0,
      Math.PI * 2,
    );
    brush.fill();
  }
  const rock = seenColour(palette, '#4d4246', 0.24);
  brush.beginPath();
  brush.moveTo(x - height * 1.25, foot);
  brush.bezierCurveTo(x - height * 0.6, foot - height * 0.2, x - height * 0.3, top + height * 0.3, x - 0.05, top);
  brush.quadraticCurveTo(x, top + 0.02, x + 0.05, top);
  brush.bezierCurveTo(
    x + height * 0.3,
    top + height * 0.3,
    x + height * 0.6,
    foot - height * 0.2,
    x + height * 1.25,
    foot,
  );
  brush.closePath();
  brush.fillStyle = vertical(brush, top, foot, [mix(rock, '#c8452a', 0.4), rock, mix(rock, palette.haze, 0.6)]);
  brush.fill();
  brush.strokeStyle = '#ff8a3a';
  brush.lineCap = 'round';
  for (let stream = 0; stream < 4; stream++) {
    let at = x + (stream - 1.5) * 0.022;
    brush.lineWidth = 0.009 - stream * 0.0012;
    brush.beginPath();
    brush.moveTo(at, top + 0.008);
    for (let step = 1; step <= 6; step++) {
      at += (stream - 1.5) * 0.012 + (chanceAt(ridge.seed, 'lava', stream, step) - 0.5) * 0.03;
      brush.lineTo(at, top + height * 0.1 * step * (0.6 + 0.4 * chanceAt(ridge.seed, 'length', stream)));
    }
    brush.stroke();
  }
}

/** Paints distant green islands, steep on one side. */
export function paintIslands(brush: Brush, stage: Stage, ridge: Ridge): void {
  const { palette } = stage.scene;
  const cell = 0.8;
  for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
    const chance = chanceAt(ridge.seed, 'island', index);
    const x = (index + 0.2 + 0.6 * chanceAt(ridge.seed, 'x', index)) * cell;
    const width = 0.16 + 0.3 * chance;
    const height = 0.05 + 0.15 * chanceAt(ridge.seed, 'h', index);
    const colour = seenColour(palette, mix(palette.land, palette.foliage, 0.6), 0.3 + 0.25 * chance);
    brush.beginPath();
    brush.moveTo(x - width, stage.horizon + 0.002);
    for (let step = 0; step <= 24; step++) {
      const t = (step / 24) * 2 - 1;
      const body =
        (1 - t * t) ** 0.8 *
        (0.75 + 0.35 * smoothNoise(ridge.seed + index, t * 2.4) + 0.1 * smoothNoise(ridge.seed - index, t * 9));
      brush.lineTo(x + t * width, stage.horizon - height * body);
    }
    brush.lineTo(x + width, stage.horizon + 0.002);
    brush.closePath();
    brush.fillStyle = vertical(brush, stage.horizon - height, stage.horizon, [
      mix(colour, palette.sun, 0.2),
      colour,
      mix(colour, palette.sky[3], 0.4),
    ]);
    brush.fill();
  }
}

/** Paints a headland that extends into the sea from one side. */
export function paintCliffs(brush: Brush, stage: Stage, ridge: Ridge): void {
  const { palette, light } = stage.scene;
  const side = (light?.x ?? 1) > 0 ? -1 : 1;
  for (const [reach, height, distance] of [
    [0.95, 0.2, 0.5],
    [0.62, 0.27, 0.26],
  ] as const) {
    const edge = side * stage.frame.right;
    const tip = edge - side * stage.frame.right * reach;
    const colour = seenColour(palette, mix('#8d8378', palette.land, 0.3), distance);
    brush.beginPath();
    brush.moveTo(edge + side * 2, stage.horizon + 0.004);
    brush.lineTo(edge + side * 2, stage.horizon - height);
    for (let step = 0; step <= 20; step++) {
      const t = step / 20;
      const top =
        height * (1 - t ** 4) * (0.86 + 0.16 * smoothNoise(ridge.seed + height * 100, t * 7)) + (step % 2) * 0.004;
      brush.lineTo(edge + (tip - edge) * t, stage.horizon - top);
    }
    brush.lineTo(tip, stage.horizon + 0.004);
    brush.closePath();
    brush.fillStyle = vertical(brush, stage.horizon - height, stage.horizon, [
      mix(seenColour(palette, palette.foliage, distance), colour, 0.2),
      colour,
      mix(colour, palette.shadow, 0.25),
    ]);
    brush.fill();
  }
}
