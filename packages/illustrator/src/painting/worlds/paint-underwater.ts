import { lighten, mix, withAlpha } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { chanceAt, createRandom, smoothNoise } from '../../model/random.ts';
import { type Brush, fillBox, groundY, type Stage, vertical } from '../../model/stage.ts';
import { paintGround } from './paint-ground.ts';
import { figureLayers } from './paint-landscape.ts';

/** Lists the layers under water: light from above, distant rocks, kelp and coral on the ground, bubbles. */
export function underwaterLayers(stage: Stage): Layer[] {
  const film = stage.duration > 0;
  return [
    { depth: 0, moving: false, draw: (brush) => paintDepths(brush, stage) },
    { depth: 0.1, moving: film, flat: true, draw: (brush, time) => paintRays(brush, stage, time) },
    { depth: 0.25, moving: false, draw: (brush) => paintRocks(brush, stage) },
    { depth: 0.6, moving: false, draw: (brush) => paintGround(brush, stage) },
    { depth: 0.5, moving: film, draw: (brush, time) => paintKelp(brush, stage, time, 0.2) },
    { depth: 0.6, moving: false, draw: (brush) => paintCoral(brush, stage, 0.12, 0.5) },
    ...figureLayers(stage),
    { depth: 0.9, moving: false, draw: (brush) => paintCoral(brush, stage, 0.5, 1) },
    { depth: 0.9, moving: film, draw: (brush, time) => paintKelp(brush, stage, time, 0.98) },
    { depth: 0.8, moving: film, flat: true, draw: (brush, time) => paintBubbles(brush, stage, time) },
  ];
}

function waterColours(stage: Stage): [string, string, string] {
  const { palette, time } = stage.scene;
  const dark = time === 'night' ? 0.5 : time === 'dusk' ? 0.3 : 0;
  return [
    mix(mix('#7fe0e0', palette.water, 0.35), '#04122e', dark),
    mix(mix('#1f8fb5', palette.water, 0.4), '#04122e', dark),
    mix('#08375f', '#04122e', dark),
  ];
}

function paintDepths(brush: Brush, stage: Stage): void {
  brush.fillStyle = vertical(brush, 0, stage.frame.bottom, waterColours(stage));
  fillBox(brush, stage.seen);
}

function paintRays(brush: Brush, stage: Stage, time: number): void {
  const random = createRandom(stage.scene.seed, 'rays');
  const origin = random.between(-0.3, 0.3) * stage.frame.right;
  brush.globalCompositeOperation = 'screen';
  for (let ray = 0; ray < 9; ray++) {
    const angle = -0.75 + ray * 0.19 + random.between(-0.05, 0.05) + Math.sin(time * 0.4 + ray) * 0.025;
    const width = random.between(0.02, 0.07);
    const reach = stage.frame.bottom * random.between(0.7, 1.1);
    const gradient = brush.createLinearGradient(0, 0, 0, reach);
    gradient.addColorStop(0, withAlpha('#d8fff6', 0.28 * (0.6 + 0.4 * Math.sin(time * 0.7 + ray * 2))));
    gradient.addColorStop(1, withAlpha('#d8fff6', 0));
    brush.fillStyle = gradient;
    brush.beginPath();
    brush.moveTo(origin + angle * 0.5 - width, -0.1);
    brush.lineTo(origin + angle * 0.5 + width, -0.1);
    brush.lineTo(origin + angle * (0.5 + reach) + width * 3.4, reach);
    brush.lineTo(origin + angle * (0.5 + reach) - width * 3.4, reach);
    brush.fill();
  }
  brush.globalCompositeOperation = 'source-over';
}

function paintRocks(brush: Brush, stage: Stage): void {
  const { seed } = stage.scene;
  const [, middle, deep] = waterColours(stage);
  for (let row = 0; row < 3; row++) {
    const colour = mix(middle, deep, 0.25 + row * 0.3);
    const base = stage.horizon + 0.02;
    brush.beginPath();
    brush.moveTo(stage.seen.left, base + 0.05);
    for (let x = stage.seen.left; x <= stage.seen.right + 0.02; x += 0.015) {
      const edge = 0.4 + 0.6 * Math.min(1, Math.abs(x) / stage.frame.right);
      const height = Math.max(
        0.01,
        (0.26 - row * 0.06) *
          edge *
          (0.5 + 0.7 * smoothNoise(seed + row * 51, x * 2.2) + 0.22 * smoothNoise(seed + row * 7, x * 9)),
      );
      brush.lineTo(x, base - height);
    }
    brush.lineTo(stage.seen.right + 0.02, base + 0.05);
    brush.fillStyle = vertical(brush, base - 0.3, base, [colour, mix(colour, middle, 0.35)]);
    brush.fill();
  }
}

function paintKelp(brush: Brush, stage: Stage, time: number, depth: number): void {
  const { seed, palette } = stage.scene;
  const [, middle, deep] = waterColours(stage);
  const near = depth > 0.6;
  const cell = near ? 0.16 : 0.075;
  const foot = groundY(stage, depth);
  for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
    const chance = chanceAt(seed, 'kelp', near ? 1 : 0, index);
    const x = (index + chance) * cell;
    if (chance > 0.6 || (near && Math.abs(x) < stage.frame.right * 0.55)) continue;
    const height = (near ? 0.42 : 0.2) * (0.5 + chanceAt(seed, 'kh', near ? 1 : 0, index));
    const colour = near ? mix(deep, '#0d4a3c', 0.5) : mix(mix(middle, palette.foliage, 0.5), '#2f8a5a', 0.3);
    brush.fillStyle = vertical(brush, foot - height, foot, [lighten(colour, 0.18), colour]);
    brush.beginPath();
    brush.moveTo(x - 0.008, foot);
    const sway = (t: number): number => Math.sin(t * 5 + time * 1.1 + chance * 20) * 0.03 * t;
    for (let step = 0; step <= 12; step++) {
      const t = step / 12;
      brush.lineTo(x + sway(t) - 0.014 * (1 - t) * (step % 2 === 0 ? 1.5 : 0.5), foot - height * t);
    }
    for (let step = 12; step >= 0; step--) {
      const t = step / 12;
      brush.lineTo(x + sway(t) + 0.014 * (1 - t) * (step % 2 === 0 ? 0.5 : 1.5), foot - height * t);
    }
    brush.fill();
  }
}

function paintCoral(brush: Brush, stage: Stage, from: number, to: number): void {
  const { seed, palette } = stage.scene;
  const [, middle] = waterColours(stage);
  const hues = ['#f2785c', '#f2a83c', '#d85a9a', '#8a6be0', palette.accent, '#f0d06a'];
  for (let row = 0; row < 6; row++) {
    const depth = 0.12 + (row / 6) * 0.85;
    if (depth < from || depth >= to) continue;
    const cell = 0.12 + depth * 0.2;
    for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
      const chance = chanceAt(seed, 'coral', row, index);
      if (chance > 0.6) continue;
      const x = (index + chanceAt(seed, 'x', row, index)) * cell;
      const size = (0.035 + depth * 0.07) * (0.6 + chance);
      const colour = mix(
        hues[Math.floor(chanceAt(seed, 'hue', row, index) * hues.length)] as string,
        middle,
        0.45 - depth * 0.3,
      );
      if (chance < 0.3) fan(brush, x, groundY(stage, depth), size, colour, chance * 50);
      else dome(brush, x, groundY(stage, depth), size * 0.55, colour);
    }
  }
}

function fan(brush: Brush, x: number, y: number, size: number, colour: string, twist: number): void {
  brush.strokeStyle = colour;
  brush.lineCap = 'round';
  for (let arm = -3; arm <= 3; arm++) {
    const angle = arm * 0.26 + Math.sin(twist + arm) * 0.1;
    brush.lineWidth = size * 0.13;
    brush.beginPath();
    brush.moveTo(x, y);
    brush.quadraticCurveTo(
      x + Math.sin(angle) * size * 0.3,
      y - size * 0.6,
      x + Math.sin(angle) * size,
      y - Math.cos(angle) * size,
    );
    brush.stroke();
    brush.beginPath();
    brush.moveTo(x + Math.sin(angle) * size * 0.5, y - size * 0.62 * Math.cos(angle));
    brush.lineTo(x + Math.sin(angle + 0.3) * size * 0.8, y - Math.cos(angle + 0.3) * size * 0.86);
    brush.stroke();
  }
}

function dome(brush: Brush, x: number, y: number, size: number, colour: string): void {
  brush.fillStyle = vertical(brush, y - size, y, [lighten(colour, 0.25), lighten(colour, -0.2)]);
  brush.beginPath();
  brush.ellipse(x, y, size * 1.2, size, 0, Math.PI, 0);
  brush.fill();
  brush.strokeStyle = withAlpha(lighten(colour, -0.35), 0.5);
  brush.lineWidth = size * 0.06;
  for (let line = 1; line < 4; line++) {
    brush.beginPath();
    brush.ellipse(x, y, size * 1.2 * (line / 4), size * 0.98, 0, Math.PI, 0);
    brush.stroke();
  }
}

function paintBubbles(brush: Brush, stage: Stage, time: number): void {
  const { seed } = stage.scene;
  const height = stage.frame.bottom + 0.2;
  for (let bubble = 0; bubble < 46; bubble++) {
    const x =
      (chanceAt(seed, 'bx', Math.floor(bubble / 5)) * 2 - 1) * stage.frame.right +
      (chanceAt(seed, 'bo', bubble) - 0.5) * 0.09;
    const rise = chanceAt(seed, 'by', bubble) + time * (0.05 + 0.05 * chanceAt(seed, 'bs', bubble));
    const y = height * (1 - (rise % 1));
    const radius = 0.003 + 0.009 * chanceAt(seed, 'br', bubble) ** 2;
    brush.strokeStyle = 'rgba(230, 255, 255, 0.55)';
    brush.lineWidth = radius * 0.25;
    brush.fillStyle = 'rgba(230, 255, 255, 0.16)';
    brush.beginPath();
    brush.arc(x + Math.sin(time * 2 + bubble) * 0.008, y, radius, 0, Math.PI * 2);
    brush.fill();
    brush.stroke();
  }
}
