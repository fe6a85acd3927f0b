import { figureKind } from '../../figures/figures.ts';
import { lighten, mix, rotateHue, withAlpha } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { chanceAt, createRandom, deriveSeed } from '../../model/random.ts';
import { type Box, type Brush, fillBox, glow, groundY, type Stage, vertical } from '../../model/stage.ts';
import { disc } from '../sky/paint-sky.ts';
import { figureLayers } from './paint-landscape.ts';
import { paintMountains } from './paint-ridges.ts';

/** Lists the layers of space: nebulas, stars, a distant planet, and a moon to stand on if the prompt asks for one. */
export function spaceLayers(stage: Stage): Layer[] {
  const film = stage.duration > 0;
  const onGround = stage.scene.horizon < 1;
  const layers: Layer[] = [
    { depth: 0, moving: false, draw: (brush) => paintDeep(brush, stage) },
    { depth: 0.03, moving: film, flat: true, draw: (brush, time, seen) => paintField(brush, stage, time, seen) },
  ];
  if (!stage.scene.figures.some(({ kind }) => figureKind(kind).habitat.fillsSky === true))
    layers.push({ depth: 0.1, moving: false, draw: (brush) => paintGlobe(brush, stage, onGround) });
  if (onGround) {
    layers.push({
      depth: 0.3,
      moving: false,
      draw: (brush) =>
        paintMountains(brush, stage, {
          kind: 'mountains',
          distance: 0.25,
          seed: deriveSeed(stage.scene.seed, 'lunar'),
        }),
    });
    layers.push({ depth: 0.6, moving: false, draw: (brush) => paintCraters(brush, stage) });
  }
  return [...layers, ...figureLayers(stage)];
}

function paintDeep(brush: Brush, stage: Stage): void {
  const { palette, seed } = stage.scene;
  const random = createRandom(seed, 'nebula');
  const hues = [palette.accent, rotateHue(palette.accent, 70), '#3a6be0', '#8a3fd0', '#d0408a', '#2aa7a0'];
  brush.fillStyle = vertical(brush, 0, stage.frame.bottom, ['#050716', '#0b1030', '#1a1340', '#0a0c24']);
  fillBox(brush, stage.seen);
  brush.globalCompositeOperation = 'screen';
  const slant = random.between(-0.5, 0.5);
  for (let cloud = 0; cloud < 22; cloud++) {
    const t = random.between(-1.3, 1.3);
    const x = t * stage.frame.right;
    const y = stage.frame.bottom * (0.45 + slant * t * 0.5) + random.between(-0.2, 0.2);
    const colour = random.pick(hues);
    glow(brush, x, y, random.between(0.18, 0.5), [
      [0, withAlpha(colour, random.between(0.1, 0.26))],
      [0.5, withAlpha(colour, 0.06)],
      [1, withAlpha(colour, 0)],
    ]);
  }
  brush.globalCompositeOperation = 'source-over';
}

function paintField(brush: Brush, stage: Stage, time: number, seen: Box): void {
  const { seed } = stage.scene;
  const cell = 0.05 / Math.sqrt(stage.detail);
  const bottom = Math.min(seen.bottom, stage.horizon);
  for (let row = Math.floor(seen.top / cell); row * cell < bottom; row++) {
    for (let column = Math.floor(seen.left / cell); column * cell < seen.right; column++) {
      const bright = chanceAt(seed, 'star', row, column);
      if (bright > 0.7) continue;
      const x = (column + chanceAt(seed, 'x', row, column)) * cell;
      const y = (row + chanceAt(seed, 'y', row, column)) * cell;
      const twinkle = 0.75 + 0.25 * Math.sin(time * (1 + bright * 5) + bright * 90);
      const colour = ['#ffffff', '#cfe0ff', '#ffe9c8', '#ffd0c0'][
        Math.floor(chanceAt(seed, 'hue', row, column) * 4)
      ] as string;
      brush.fillStyle = withAlpha(colour, twinkle * (0.25 + 0.75 * (1 - bright / 0.7)));
      const size = 0.0007 + 0.0024 * (1 - bright / 0.7) ** 6;
      disc(brush, x, y, size);
      if (bright < 0.008) sparkle(brush, x, y, 0.018 * twinkle, colour);
    }
  }
}

function sparkle(brush: Brush, x: number, y: number, reach: number, colour: string): void {
  glow(brush, x, y, reach * 1.3, [
    [0, withAlpha(colour, 0.5)],
    [1, withAlpha(colour, 0)],
  ]);
  brush.fillStyle = withAlpha(colour, 0.9);
  brush.beginPath();
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
  ] as const) {
    brush.moveTo(x - reach * dx, y - reach * dy);
    brush.quadraticCurveTo(x + reach * 0.06 * dy, y + reach * 0.06 * dx, x + reach * dx, y + reach * dy);
    brush.quadraticCurveTo(x - reach * 0.06 * dy, y - reach * 0.06 * dx, x - reach * dx, y - reach * dy);
  }
  brush.fill();
}

/** The earth has its real colour; other planets have colours of the palette. */
const EARTH_BLUE = '#3f7fc0';
const EARTH = /\b(earth|erde|terre|tierra)\b/i;

function paintGlobe(brush: Brush, stage: Stage, small: boolean): void {
  const { palette, seed, light } = stage.scene;
  const random = createRandom(seed, 'globe');
  const radius = small ? random.between(0.1, 0.16) : random.between(0.26, 0.4);
  const main = stage.scene.figures[0];
  const side = main === undefined ? (light?.x ?? 1) : -main.x || 1;
  const x = Math.sign(side) * stage.frame.right * random.between(0.42, 0.78);
  const y = small ? stage.horizon * 0.32 : stage.frame.bottom * random.pick([0.16, 0.84]);
  const picked = random.pick([EARTH_BLUE, '#c9784a', '#5f9a8a', palette.accent, '#b08ac8']);
  const colour = EARTH.test(stage.scene.prompt) ? EARTH_BLUE : picked;
  glow(brush, x, y, radius * 1.5, [
    [0.6, withAlpha(colour, 0.4)],
    [0.72, withAlpha(colour, 0.22)],
    [1, withAlpha(colour, 0)],
  ]);
  brush.save();
  brush.beginPath();
  brush.arc(x, y, radius, 0, Math.PI * 2);
  brush.clip();
  brush.fillStyle = colour;
  fillBox(brush, { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
  for (let band = 0; band < 9; band++) {
    brush.fillStyle = withAlpha(random.chance(0.5) ? lighten(colour, 0.35) : lighten(colour, -0.25), 0.4);
    brush.beginPath();
    brush.ellipse(
      x + random.between(-0.4, 0.4) * radius,
      y + random.between(-0.9, 0.9) * radius,
      radius * random.between(0.4, 1.2),
      radius * random.between(0.03, 0.12),
      -0.15,
      0,
      Math.PI * 2,
    );
    brush.fill();
  }
  const shade = brush.createRadialGradient(
    x - radius * 0.5,
    y - radius * 0.5,
    radius * 0.3,
    x - radius * 0.2,
    y - radius * 0.2,
    radius * 1.35,
  );
  shade.addColorStop(0, 'rgba(255, 255, 255, 0.18)');
  shade.addColorStop(0.45, 'rgba(0, 0, 10, 0)');
  shade.addColorStop(1, 'rgba(2, 3, 18, 0.92)');
  brush.fillStyle = shade;
  fillBox(brush, { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
  brush.restore();
}

function paintCraters(brush: Brush, stage: Stage): void {
  const { palette, seed } = stage.scene;
  const ground = palette.land;
  brush.fillStyle = vertical(brush, stage.horizon, stage.frame.bottom, [
    mix(ground, '#1a1c30', 0.35),
    mix(ground, '#20233a', 0.2),
    mix(ground, '#0a0c1c', 0.55),
  ]);
  fillBox(brush, { ...stage.seen, top: stage.horizon });
  for (let row = 0; row < 9; row++) {
    const depth = 0.03 + (row / 9) ** 1.4;
    const cell = 0.1 + depth * 0.42;
    for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
      const chance = chanceAt(seed, 'crater', row, index);
      if (chance > 0.55) continue;
      const x = (index + chanceAt(seed, 'x', row, index)) * cell;
      const y = groundY(stage, depth);
      const width = cell * (0.08 + 0.3 * chance);
      brush.fillStyle = withAlpha(lighten(ground, 0.4), 0.5);
      oval(brush, x, y + width * 0.03, width * 1.08, width * 0.3);
      brush.fillStyle = mix(ground, '#12142a', 0.55);
      oval(brush, x, y, width, width * 0.26);
      brush.fillStyle = withAlpha(mix(ground, '#12142a', 0.3), 0.9);
      oval(brush, x + width * 0.1, y + width * 0.06, width * 0.82, width * 0.18);
    }
  }
}

function oval(brush: Brush, x: number, y: number, halfWidth: number, halfHeight: number): void {
  brush.beginPath();
  brush.ellipse(x, y, halfWidth, halfHeight, 0, 0, Math.PI * 2);
  brush.fill();
}
