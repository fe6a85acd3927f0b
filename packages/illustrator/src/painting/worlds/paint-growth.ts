import { lighten, mix, withAlpha } from '../../model/colour.ts';
import { seenColour } from '../../model/palette.ts';
import { chanceAt, smoothNoise } from '../../model/random.ts';
import { type Brush, groundY, type Stage, vertical } from '../../model/stage.ts';

/** Returns the depth down to which the ground is visible: 1 is the frame's lower edge. */
function deepest(stage: Stage): number {
  return Math.max(
    1,
    Math.min(4, (stage.seen.bottom - stage.horizon) / Math.max(0.05, stage.frame.bottom - stage.horizon)),
  );
}

/** Paints tufts of grass in rows between two depths, taller towards the viewer. */
export function paintGrass(brush: Brush, stage: Stage, density: number, from: number, to: number): void {
  const { palette, seed } = stage.scene;
  const own = mix(palette.land, palette.foliage, 0.55);
  const rows = Math.round(9 * stage.detail ** 0.5);
  for (let row = 0; row < rows * deepest(stage); row++) {
    const depth = (row + 0.5) / rows;
    if (depth < from || depth >= to) continue;
    const y = groundY(stage, depth);
    const height = 0.006 + 0.05 * Math.min(1.6, depth) ** 1.7;
    const cell = height * 0.62;
    const colour = mix(
      seenColour(palette, own, 0.3 * Math.max(0, 1 - depth)),
      palette.shadow,
      0.06 + 0.2 * Math.min(1, depth),
    );
    brush.fillStyle = vertical(brush, y - height, y + height * 0.3, [
      mix(lighten(colour, 0.12), palette.sun, 0.12),
      colour,
    ]);
    brush.beginPath();
    for (let index = Math.floor(stage.seen.left / cell); index * cell < stage.seen.right; index++) {
      const patch = 0.5 + 0.5 * smoothNoise(seed + row, index * cell * 2.2);
      if (chanceAt(seed, 'grass', row, index) > density * (0.2 + 0.95 * patch ** 2)) continue;
      tuft(
        brush,
        (index + chanceAt(seed, 'gx', row, index)) * cell,
        y + (chanceAt(seed, 'gy', row, index) - 0.5) * height,
        height * (0.6 + 0.6 * chanceAt(seed, 'gh', row, index)),
        chanceAt(seed, 'lean', row, index) - 0.5,
      );
    }
    brush.fill();
  }
}

function tuft(brush: Brush, x: number, y: number, height: number, lean: number): void {
  const half = height * 0.07;
  for (const [side, share] of [
    [-0.45, 0.75],
    [0.05, 1],
    [0.5, 0.7],
  ] as const) {
    const tip = x + (side + lean * 0.5) * height * 0.8;
    brush.moveTo(x + side * half * 3 - half, y);
    brush.quadraticCurveTo(x + side * half * 4, y - height * share * 0.6, tip, y - height * share);
    brush.quadraticCurveTo(x + side * half * 6 + half, y - height * share * 0.5, x + side * half * 3 + half, y);
  }
}

/** Paints meadow flowers: dots far away, petals near by. */
export function paintFlowers(brush: Brush, stage: Stage, density: number, from: number, to: number): void {
  const { palette, seed } = stage.scene;
  const kinds = [palette.accent, '#f4f1e6', '#f2c84b', mix(palette.accent, '#8a5cc8', 0.6)];
  const rows = Math.round(8 * stage.detail ** 0.5);
  for (let row = 0; row < rows * deepest(stage); row++) {
    const depth = (row + 0.7) / rows;
    if (depth < from || depth >= to) continue;
    const size = 0.0022 + 0.011 * Math.min(1.6, depth) ** 1.6;
    const cell = size * 5.5;
    for (let index = Math.floor(stage.seen.left / cell); index * cell < stage.seen.right; index++) {
      const patch = 0.5 + 0.5 * smoothNoise(seed + row * 3 + 9, index * cell * 1.7);
      if (chanceAt(seed, 'flower', row, index) > density * (0.05 + 0.6 * patch)) continue;
      const x = (index + chanceAt(seed, 'fx', row, index)) * cell;
      const y = groundY(stage, depth) + (chanceAt(seed, 'fy', row, index) - 0.5) * size * 6;
      const colour = seenColour(
        palette,
        kinds[Math.floor(chanceAt(seed, 'fk', row, index) * 4)] as string,
        0.15 * Math.max(0, 1 - depth),
      );
      paintFlower(
        brush,
        x,
        y,
        size * (0.7 + 0.6 * chanceAt(seed, 'fs', row, index)),
        colour,
        withAlpha(mix(palette.foliage, palette.shadow, 0.4), 0.8),
      );
    }
  }
}

function paintFlower(brush: Brush, x: number, y: number, size: number, colour: string, stem: string): void {
  brush.strokeStyle = stem;
  brush.lineWidth = size * 0.35;
  brush.beginPath();
  brush.moveTo(x, y);
  brush.lineTo(x + size * 0.4, y + size * 3.4);
  brush.stroke();
  brush.fillStyle = colour;
  brush.beginPath();
  for (let petal = 0; petal < 5; petal++) {
    const angle = (petal / 5) * Math.PI * 2 - 0.5;
    const cx = x + Math.cos(angle) * size * 0.75;
    const cy = y + Math.sin(angle) * size * 0.6;
    brush.moveTo(cx + size * 0.6, cy);
    brush.arc(cx, cy, size * 0.6, 0, Math.PI * 2);
  }
  brush.fill();
  brush.fillStyle = '#f6d358';
  brush.beginPath();
  brush.arc(x, y, size * 0.4, 0, Math.PI * 2);
  brush.fill();
}

/** Paints tree trunks: pale ones in the mist behind, or dark ones that frame the picture in front. */
export function paintTrunks(brush: Brush, stage: Stage, near: boolean): void {
  const { palette, seed } = stage.scene;
  const rows = near ? [0.98] : [0.05, 0.16, 0.32];
  for (const depth of rows) {
    const width = 0.012 + depth * 0.055;
    const cell = near ? 0.55 : 0.09 + depth * 0.55;
    const foot = groundY(stage, depth);
    const colour = mix(seenColour(palette, '#6b4a33', near ? 0 : 0.5 - depth), palette.shadow, near ? 0.5 : 0.22);
    for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
      const x = (index + chanceAt(seed, 'trunk', depth, index)) * cell;
      if (near ? Math.abs(x) < stage.frame.right * 0.66 : chanceAt(seed, 'gap', depth, index) < 0.2) continue;
      // Up to the highest point that any camera shows, so that trunks look the same in a picture and in its film.
      const top = Math.min(-0.6, stage.seen.top);
      const lean = (chanceAt(seed, 'tl', depth, index) - 0.5) * 0.08 * ((foot - top) / (foot + 0.05));
      const girth = width * (0.6 + 0.8 * chanceAt(seed, 'tw', depth, index));
      brush.fillStyle = vertical(brush, 0, foot, [
        mix(colour, palette.sky[1], near ? 0.05 : 0.3),
        colour,
        mix(colour, palette.haze, near ? 0 : 0.35),
      ]);
      brush.beginPath();
      brush.moveTo(x - girth, foot + girth * 0.2);
      brush.quadraticCurveTo(x - girth * 0.5, foot - girth * 1.4, x - girth * 0.5 + lean, top);
      brush.lineTo(x + girth * 0.5 + lean, top);
      brush.quadraticCurveTo(x + girth * 0.5, foot - girth * 1.4, x + girth, foot + girth * 0.2);
      brush.fill();
      brush.strokeStyle = withAlpha(palette.sun, near ? 0.1 : 0.22);
      brush.lineWidth = girth * 0.12;
      brush.beginPath();
      const side = (stage.scene.light?.x ?? 0) * stage.frame.right > x ? 0.42 : -0.42;
      brush.moveTo(x + girth * side, foot - girth);
      brush.lineTo(x + girth * side + lean, top);
      brush.stroke();
    }
  }
  paintCanopy(brush, stage, near);
}

/** Paints leaves along the upper edge: three rows of clumps, the rearmost the palest. */
function paintCanopy(brush: Brush, stage: Stage, near: boolean): void {
  const { palette, seed } = stage.scene;
  const rows = near ? [0] : [0, 1, 2];
  for (const row of rows) {
    const own = seenColour(
      palette,
      lighten(palette.foliage, near ? -0.35 : 0.06 - row * 0.12),
      near ? 0.02 : 0.5 - row * 0.16,
    );
    const colour = mix(own, palette.shadow, near ? 0.5 : 0.04 + row * 0.08);
    const cell = near ? 0.075 : 0.062;
    brush.fillStyle = colour;
    brush.beginPath();
    for (let index = Math.floor(stage.seen.left / cell) - 3; index * cell < stage.seen.right + cell * 3; index++) {
      const edge = Math.min(1.3, Math.abs(index * cell) / stage.frame.right);
      const hang = near
        ? Math.max(0, edge - 0.45) * 0.3
        : 0.15 - row * 0.045 + 0.05 * smoothNoise(seed + row, index * 0.27);
      for (let clump = 0; clump < 3; clump++) {
        const x = (index + chanceAt(seed, 'lx', near ? 9 : row, index, clump)) * cell;
        const y = -0.03 + hang * chanceAt(seed, 'ly', near ? 9 : row, index, clump);
        const radius = (0.028 + 0.04 * chanceAt(seed, 'leaf', near ? 9 : row, index, clump)) * (near ? 1.25 : 1);
        brush.moveTo(x + radius, y);
        brush.ellipse(x, y, radius, radius * 0.72, 0, 0, Math.PI * 2);
      }
    }
    brush.rect(stage.seen.left, stage.seen.top - 0.2, stage.seen.right - stage.seen.left, 0.18 - stage.seen.top);
    brush.fill();
  }
}

/** Paints a road to the horizon. */
export function paintRoad(brush: Brush, stage: Stage): void {
  const { palette, seed } = stage.scene;
  const aim = (chanceAt(seed, 'road') - 0.5) * 0.4 * stage.frame.right;
  const foot = stage.frame.bottom + 0.3;
  const colour = seenColour(palette, '#6b6870', 0.12);
  const across = (depth: number): { x: number; half: number } => ({
    x: aim * (1 - depth) + Math.sin(depth * 4.5 + seed) * 0.09 * (1 - depth),
    half: 0.003 + depth ** 1.25 * 0.26,
  });
  const trace = (share: number, from = 0, to = 1): void => {
    const steps = 24;
    const y = (depth: number): number => stage.horizon + (foot - stage.horizon) * depth;
    brush.beginPath();
    for (let step = 0; step <= steps; step++) {
      const depth = from + ((to - from) * step) / steps;
      brush.lineTo(across(depth).x - across(depth).half * share, y(depth));
    }
    for (let step = steps; step >= 0; step--) {
      const depth = from + ((to - from) * step) / steps;
      brush.lineTo(across(depth).x + across(depth).half * share, y(depth));
    }
    brush.closePath();
    brush.fill();
  };
  brush.fillStyle = withAlpha(lighten(seenColour(palette, palette.land, 0.1), 0.2), 0.8);
  trace(1.12);
  brush.fillStyle = vertical(brush, stage.horizon, stage.frame.bottom, [
    mix(colour, palette.haze, 0.5),
    colour,
    mix(colour, palette.shadow, 0.4),
  ]);
  trace(1);
  brush.fillStyle = withAlpha(seenColour(palette, '#f6efdc', 0), 0.85);
  for (let dash = 0; dash < 9; dash++) trace(0.035, (dash / 9) ** 1.7, ((dash + 0.5) / 9) ** 1.7);
}
