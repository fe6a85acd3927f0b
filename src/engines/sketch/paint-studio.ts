import { lighten, mix, rotateHue, withAlpha } from './colour.ts';
import type { Layer } from './layers.ts';
import { figureLayers } from './paint-landscape.ts';
import { createRandom } from './random.ts';
import { type Brush, fillBox, glow, type Stage, vertical } from './stage.ts';

const GROUNDS = ['#f3ead8', '#e6eee9', '#f2e3e0', '#e4e9f2', '#f4efe2'];
const DISCS = ['#e9b44c', '#e76f51', '#6fb1a0', '#7fa5d0', '#c98bb0', '#8fae5a'];

/** A plain ground with a disc on it, as for a badge or a sticker: nothing but the subject is meant. */
export function studioLayers(stage: Stage): Layer[] {
  return [{ depth: 0.1, moving: false, draw: (brush) => paintBadge(brush, stage) }, ...figureLayers(stage)];
}

function paintBadge(brush: Brush, stage: Stage): void {
  const random = createRandom(stage.scene.seed, 'studio', stage.scene.prompt);
  const paper = random.pick(GROUNDS);
  const disc = random.pick(DISCS);
  const { bottom } = stage.frame;
  const radius = Math.min(0.42, bottom * 0.42, stage.frame.right * 0.84);
  const middle = bottom * 0.52;
  brush.fillStyle = vertical(brush, 0, bottom, [lighten(paper, 0.3), paper]);
  fillBox(brush, stage.seen);
  glow(brush, 0, middle, radius * 1.5, [
    [0.6, withAlpha(mix(disc, '#40301c', 0.5), 0.2)],
    [1, withAlpha(disc, 0)],
  ]);
  ring(brush, middle, radius, mix(disc, '#2a2230', 0.55));
  ring(brush, middle, radius * 0.955, lighten(paper, 0.6));
  brush.fillStyle = vertical(brush, middle - radius, middle + radius, [
    lighten(rotateHue(disc, 14), 0.28),
    disc,
    mix(disc, '#3a2a4a', 0.25),
  ]);
  brush.beginPath();
  brush.arc(0, middle, radius * 0.915, 0, Math.PI * 2);
  brush.fill();
}

function ring(brush: Brush, middle: number, radius: number, colour: string): void {
  brush.fillStyle = colour;
  brush.beginPath();
  brush.arc(0, middle, radius, 0, Math.PI * 2);
  brush.fill();
}
