import { figureKind } from '../../figures/figures.ts';
import { lighten, mix, underLight, withAlpha } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { createRandom, deriveSeed } from '../../model/random.ts';
import type { Figure } from '../../model/scene.ts';
import { type Brush, fillBox, glow, groundY, type Stage, vertical, worldX } from '../../model/stage.ts';
import { figureLayers, skyLayers } from './paint-landscape.ts';
import { paintMountains } from './paint-ridges.ts';

/** Lists the layers of a room: a wall with a window, the floor, light falling in, and the figures. */
export function roomLayers(stage: Stage): Layer[] {
  const window = windowOf(stage);
  const film = stage.duration > 0;
  return [
    { depth: 0.2, moving: false, draw: (brush) => paintWall(brush, stage) },
    {
      depth: 0.2,
      moving: film && stage.scene.weather.clouds > 0.1,
      draw: (brush, time) => paintWindow(brush, stage, window, time),
    },
    { depth: 0.2, moving: false, draw: (brush) => paintFloor(brush, stage) },
    { depth: 0.3, moving: film, flat: true, draw: (brush, time) => paintSunbeam(brush, stage, window, time) },
    ...figureLayers(stage),
  ];
}

/** Returns the figure that the window stands on, if the scene has one. */
function sillOf({ scene }: Stage): Figure | undefined {
  return scene.figures.find(({ kind }) => figureKind(kind).habitat.underWindow === true);
}

interface Pane {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function windowOf(stage: Stage): Pane {
  const sill = sillOf(stage);
  if (sill !== undefined) {
    const width = Math.min(sill.size * 2.2, stage.frame.right * 1.6);
    const foot = groundY(stage, sill.y) - sill.size;
    const top = stage.horizon * 0.1;
    return { x: worldX(stage, sill.x) - width / 2, y: top, width, height: foot - top - 0.01 };
  }
  const side = (stage.scene.figures[0]?.x ?? 0.1) > 0 ? -1 : 1;
  const width = Math.min(0.46, stage.frame.right * 0.8);
  const height = stage.horizon * 0.58;
  return { x: side * stage.frame.right * 0.5 - width / 2, y: stage.horizon * 0.14, width, height };
}

function wallColour(stage: Stage): string {
  const { palette, seed } = stage.scene;
  const random = createRandom(seed, 'wall');
  const own = mix(
    random.pick(['#d9c3a5', '#b8c4b8', '#c9b4b0', '#a9b7c6', '#d8b892', '#8fa5a0']),
    palette.accent,
    0.14,
  );
  return underLight(own, mix(palette.ambient, '#ffe9cf', 0.45));
}

function paintWall(brush: Brush, stage: Stage): void {
  const wall = wallColour(stage);
  brush.fillStyle = vertical(brush, 0, stage.horizon, [
    mix(wall, stage.scene.palette.shadow, 0.26),
    wall,
    lighten(wall, 0.06),
  ]);
  fillBox(brush, stage.seen);
}

function paintWindow(brush: Brush, stage: Stage, pane: Pane, time: number): void {
  const { palette, seed } = stage.scene;
  brush.fillStyle = mix(wallColour(stage), palette.shadow, 0.3);
  brush.fillRect(pane.x - 0.022, pane.y - 0.022, pane.width + 0.044, pane.height + 0.044);
  brush.save();
  brush.beginPath();
  brush.rect(pane.x, pane.y, pane.width, pane.height);
  brush.clip();
  // A small landscape outside: its horizon is in the lower third of the window, and it fills the window's width.
  brush.translate(pane.x + pane.width / 2, pane.y);
  const scale = Math.max((pane.height * 0.78) / stage.horizon, pane.width / (stage.seen.right - stage.seen.left));
  brush.scale(scale, scale);
  const half = pane.width / 2 / scale;
  const seen = { left: -half, top: 0, right: half, bottom: pane.height / scale };
  for (const layer of skyLayers(stage)) layer.draw(brush, time, seen);
  paintMountains(brush, stage, { kind: 'mountains', distance: 0.6, seed: deriveSeed(seed, 'outside') });
  brush.fillStyle = mix(palette.foliage, palette.haze, 0.35);
  fillBox(brush, { ...stage.seen, top: stage.horizon });
  brush.restore();
  brush.strokeStyle = lighten(wallColour(stage), 0.55);
  brush.lineWidth = 0.016;
  brush.strokeRect(pane.x, pane.y, pane.width, pane.height);
  brush.lineWidth = 0.009;
  brush.beginPath();
  brush.moveTo(pane.x + pane.width / 2, pane.y);
  brush.lineTo(pane.x + pane.width / 2, pane.y + pane.height);
  brush.moveTo(pane.x, pane.y + pane.height * 0.45);
  brush.lineTo(pane.x + pane.width, pane.y + pane.height * 0.45);
  brush.stroke();
  brush.fillStyle = lighten(wallColour(stage), 0.6);
  brush.fillRect(pane.x - 0.035, pane.y + pane.height + 0.006, pane.width + 0.07, 0.02);
}

function paintFloor(brush: Brush, stage: Stage): void {
  const { palette } = stage.scene;
  const wood = underLight(palette.land, mix(palette.ambient, '#ffe9cf', 0.4));
  brush.fillStyle = vertical(brush, stage.horizon, stage.frame.bottom, [
    lighten(wood, 0.08),
    wood,
    mix(wood, palette.shadow, 0.45),
  ]);
  fillBox(brush, { ...stage.seen, top: stage.horizon });
  brush.fillStyle = withAlpha(palette.shadow, 0.3);
  fillBox(brush, { ...stage.seen, top: stage.horizon, bottom: stage.horizon + 0.006 });
  brush.strokeStyle = withAlpha(mix(wood, palette.shadow, 0.6), 0.35);
  brush.lineWidth = 0.0025;
  brush.beginPath();
  for (let board = -9; board <= 9; board++) {
    brush.moveTo(board * 0.16, stage.horizon);
    brush.lineTo(board * 0.16 * 2.6, groundY(stage, 1) + 0.4);
  }
  brush.stroke();
}

function paintSunbeam(brush: Brush, stage: Stage, pane: Pane, time: number): void {
  const { palette } = stage.scene;
  const slant = pane.x < 0 ? 0.75 : -0.75;
  brush.globalCompositeOperation = 'soft-light';
  for (const half of [0, 1]) {
    const left = pane.x + (pane.width / 2) * half + 0.01;
    const right = left + pane.width / 2 - 0.02;
    const gradient = brush.createLinearGradient(0, pane.y, 0, stage.frame.bottom);
    gradient.addColorStop(0, withAlpha(lighten(palette.sun, 0.2), 0.5 + 0.05 * Math.sin(time * 0.6)));
    gradient.addColorStop(1, withAlpha(palette.sun, 0.12));
    brush.fillStyle = gradient;
    brush.beginPath();
    brush.moveTo(left, pane.y);
    brush.lineTo(right, pane.y);
    brush.lineTo(right + slant * stage.frame.bottom, stage.frame.bottom + 0.1);
    brush.lineTo(left + slant * stage.frame.bottom, stage.frame.bottom + 0.1);
    brush.fill();
  }
  brush.globalCompositeOperation = 'screen';
  glow(brush, pane.x + pane.width / 2, pane.y + pane.height / 2, 0.6, [
    [0, withAlpha(palette.sun, 0.16)],
    [1, withAlpha(palette.sun, 0)],
  ]);
  brush.globalCompositeOperation = 'source-over';
}
