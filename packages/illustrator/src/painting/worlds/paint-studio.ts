import { lighten, mix, rotateHue, withAlpha } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { createRandom, deriveSeed } from '../../model/random.ts';
import { type Brush, fillBox, glow, type Stage, vertical } from '../../model/stage.ts';
import { figureLayers, skyLayers } from './paint-landscape.ts';
import { paintCard, paintRosette } from './paint-ornament.ts';
import { paintMountains } from './paint-ridges.ts';

const GROUNDS = ['#f3ead8', '#e6eee9', '#f2e3e0', '#e4e9f2', '#f4efe2'];
const DISCS = ['#e9b44c', '#e76f51', '#6fb1a0', '#7fa5d0', '#c98bb0', '#8fae5a'];

/** Lists the layers of a plain background with a disc, as for a badge or a sticker: only the subject matters. */
export function studioLayers(stage: Stage): Layer[] {
  const paint = stage.scene.ground === 'paper' ? paintSheet : paintBadge;
  return [{ depth: 0.1, moving: false, draw: (brush) => paint(brush, stage) }, ...figureLayers(stage)];
}

/** Paints a photo studio's paper backdrop: lit from above, without an edge between wall and floor. */
function paintSheet(brush: Brush, stage: Stage): void {
  const { bottom } = stage.frame;
  const { land } = stage.scene.palette;
  brush.fillStyle = vertical(brush, 0, bottom, [
    lighten(land, -0.04),
    lighten(land, 0.05),
    lighten(land, 0.02),
    lighten(land, -0.06),
  ]);
  fillBox(brush, stage.seen);
  glow(brush, 0, bottom * 0.42, 0.75, [
    [0, withAlpha(lighten(land, 0.55), 0.6)],
    [0.5, withAlpha(lighten(land, 0.4), 0.25)],
    [1, withAlpha(land, 0)],
  ]);
  if (showsNothing(stage)) paintCard(brush, stage, land);
}

function showsNothing({ scene, references }: Stage): boolean {
  return scene.figures.length === 0 && scene.lettering === null && references.length === 0;
}

/** Paints the scenery on the emblem of a prompt that names a place. */
function paintPlace(brush: Brush, stage: Stage, middle: number, radius: number): void {
  const { palette, seed, backdrops } = stage.scene;
  const scale = (radius * 1.2) / stage.horizon;
  brush.save();
  brush.beginPath();
  brush.arc(0, middle, radius, 0, Math.PI * 2);
  brush.clip();
  brush.translate(0, middle - radius);
  brush.scale(scale, scale);
  for (const layer of skyLayers(stage)) layer.draw(brush, 0, stage.seen);
  const sea = backdrops.includes('islands');
  if (!sea)
    for (const distance of [0.7, 0.35])
      paintMountains(brush, stage, { kind: 'mountains', distance, seed: deriveSeed(seed, 'badge', distance) });
  brush.fillStyle = sea ? palette.water : mix(palette.foliage, palette.haze, 0.2);
  fillBox(brush, { ...stage.seen, top: stage.horizon, bottom: stage.horizon * 3 });
  brush.restore();
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
  if (stage.scene.backdrops.length > 0) paintPlace(brush, stage, middle, radius * 0.915);
  else if (showsNothing(stage)) paintRosette(brush, stage, middle, radius * 0.72, disc);
}

function ring(brush: Brush, middle: number, radius: number, colour: string): void {
  brush.fillStyle = colour;
  brush.beginPath();
  brush.arc(0, middle, radius, 0, Math.PI * 2);
  brush.fill();
}
