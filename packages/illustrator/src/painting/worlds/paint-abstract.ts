import { lighten, mix, rotateHue, withAlpha } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { createRandom, smoothNoise } from '../../model/random.ts';
import { type Brush, fillBox, glow, type Stage, vertical } from '../../model/stage.ts';
import { geometricLayers } from './paint-geometric.ts';

const GEOMETRIC = /geometr|shapes|bauhaus|cubis|suprematis|circles|triangles|squares/i;

const COLOURFUL = /colou?rful|vivid|vibrant|rainbow|multicolou?r|bunte?|coloré|colorid/i;

/**
 * Lists the layers of a picture whose prompt names nothing that the illustrator can draw: bands and discs in separately
 * chosen colours.
 */
export function abstractLayers(stage: Stage): Layer[] {
  const colours = ownColours(stage);
  if (GEOMETRIC.test(stage.scene.prompt)) return geometricLayers(stage, colours);
  const random = createRandom(stage.scene.seed, 'abstract', stage.scene.prompt);
  const bands = 7 + Math.round(stage.detail * 2);
  const sun = {
    x: random.between(-0.4, 0.4) * stage.frame.right,
    y: stage.frame.bottom * random.between(0.26, 0.42),
    radius: random.between(0.13, 0.2),
  };
  const layers: Layer[] = [
    { depth: 0, moving: false, draw: (brush) => paintGround(brush, stage, colours) },
    { depth: 0.15, moving: false, draw: (brush) => paintDisc(brush, sun, colours) },
  ];
  for (let band = 0; band < bands; band++) {
    layers.push({
      depth: 0.2 + (0.8 * band) / bands,
      moving: stage.duration > 0,
      draw: (brush, time) => paintBand(brush, stage, colours, band, bands, time),
    });
  }
  return layers;
}

function ownColours(stage: Stage): string[] {
  const { palette, seed, prompt } = stage.scene;
  const random = createRandom(seed, 'abstract colours', prompt);
  const base = random.pick(['#1d3557', '#2b2d42', '#3d2645', '#16423c', '#43302e', '#22333b']);
  const warm = random.pick(['#f4a261', '#e76f51', '#ffd166', '#ef8354', '#f2b5a7', '#e9c46a']);
  const named = palette.accent;
  if (COLOURFUL.test(prompt)) return ['#2b2d6a', '#7d4bb5', '#d8437f', '#f2833a', '#f2c230', '#fdf0c8'];
  return [base, mix(base, named, 0.55), named, mix(named, warm, 0.6), warm, lighten(rotateHue(warm, 12), 0.55)];
}

function paintGround(brush: Brush, stage: Stage, colours: readonly string[]): void {
  brush.fillStyle = vertical(brush, 0, stage.frame.bottom, [
    colours[5] as string,
    mix(colours[5] as string, colours[4] as string, 0.55),
    colours[4] as string,
  ]);
  fillBox(brush, stage.seen);
}

function paintDisc(brush: Brush, sun: { x: number; y: number; radius: number }, colours: readonly string[]): void {
  glow(brush, sun.x, sun.y, sun.radius * 3.2, [
    [0, withAlpha('#ffffff', 0.5)],
    [1, withAlpha('#ffffff', 0)],
  ]);
  brush.fillStyle = vertical(brush, sun.y - sun.radius, sun.y + sun.radius, [
    colours[3] as string,
    colours[2] as string,
  ]);
  brush.beginPath();
  brush.arc(sun.x, sun.y, sun.radius, 0, Math.PI * 2);
  brush.fill();
}

function paintBand(
  brush: Brush,
  stage: Stage,
  colours: readonly string[],
  band: number,
  bands: number,
  time: number,
): void {
  const { seed, motion } = stage.scene;
  const share = band / (bands - 1);
  const foot = stage.frame.bottom * (0.36 + 0.6 * share);
  const sway = time * 0.12 * motion * (band % 2 === 0 ? 1 : -1);
  const colour = mix(colours[Math.min(4, Math.floor((1 - share) * 4))] as string, colours[0] as string, share * 0.6);
  brush.beginPath();
  brush.moveTo(stage.seen.left, stage.seen.bottom);
  for (let x = stage.seen.left; x <= stage.seen.right + 0.02; x += 0.02) {
    const height =
      smoothNoise(seed + band * 71, x * 1.3 + sway) * 0.16 + smoothNoise(seed + band * 131, x * 3.1 - sway) * 0.04;
    brush.lineTo(x, foot + height);
  }
  brush.lineTo(stage.seen.right, stage.seen.bottom);
  brush.strokeStyle = 'rgba(10, 10, 30, 0.055)';
  for (const width of [0.06, 0.042, 0.028, 0.016, 0.007]) {
    brush.lineWidth = width;
    brush.stroke();
  }
  brush.fillStyle = vertical(brush, foot - 0.15, foot + 0.35, [lighten(colour, 0.16), colour, lighten(colour, -0.22)]);
  brush.fill();
}
