import { Path2D } from '@napi-rs/canvas';
import { mix, withAlpha } from './colour.ts';
import { isDark, type Tones, tonesOf } from './figure-tones.ts';
import type { Drawing, Part } from './figures/drawing.ts';
import { DRAWINGS, drawingOf } from './figures/drawings.ts';
import type { Posture } from './gait.ts';
import { HABITATS } from './habitats.ts';
import { applyMovement, wingBob } from './move-part.ts';
import { BODY_MIDDLE, paintLeg } from './paint-leg.ts';
import { paintShadow } from './paint-shadow.ts';
import { isAfloat, type Placement, placeAt } from './placement.ts';
import { chanceAt } from './random.ts';
import type { Figure } from './scene.ts';
import { type Brush, glow, type Stage } from './stage.ts';

const paths = new Map<string, Path2D>();

/** A figure at its place, in the light of the hour, with its shadow or its reflection; in films it moves as it would. */
export function paintFigure(brush: Brush, stage: Stage, figure: Figure, time: number): void {
  const drawing = drawingOf(figure) ?? DRAWINGS.star;
  if (drawing === undefined) return;
  const place = placeAt(stage, figure, time);
  const tones = tonesOf(stage, figure, drawing);
  const moving = stage.duration > 0 && stage.scene.motion > 0 ? time * stage.scene.motion : null;
  if (!isAfloat(stage, figure)) {
    if (figure.where === 'ground' && figure.lift === undefined) paintShadow(brush, stage, place, drawing);
    paintParts(brush, drawing, tones, place, figure, moving, 1);
  } else if (HABITATS[figure.kind]?.lives === 'under')
    paintSurfacing(brush, stage, drawing, tones, place, figure, moving);
  else {
    if (figure.lift === undefined) paintParts(brush, drawing, tones, { ...place, scaleY: -0.62 }, figure, moving, 0.34);
    paintParts(brush, drawing, tones, place, figure, moving, 1);
  }
  paintLamps(brush, stage, drawing, place);
  if (figure.kind === 'lighthouse' && isDark(stage)) paintBeam(brush, place, moving ?? 0);
}

/** What lives below shows its back: the water hides the rest, and foams where it comes out. */
function paintSurfacing(
  brush: Brush,
  stage: Stage,
  drawing: Drawing,
  tones: Tones,
  place: Placement,
  figure: Figure,
  time: number | null,
): void {
  brush.save();
  brush.beginPath();
  brush.rect(stage.seen.left, stage.seen.top - 1, stage.seen.right - stage.seen.left, place.y - stage.seen.top + 1);
  brush.clip();
  paintParts(brush, drawing, tones, { ...place, y: place.y + place.size * 0.36 }, figure, time, 1);
  brush.restore();
  for (let foam = 0; foam < 9; foam++) {
    const reach = (foam / 8 - 0.5) * place.size * 1.7;
    brush.fillStyle = withAlpha(mix(stage.scene.palette.sky[3], '#ffffff', 0.6), 0.5);
    brush.beginPath();
    brush.ellipse(
      place.x + reach,
      place.y + (foam % 2) * 0.004,
      place.size * 0.16,
      place.size * (0.02 + 0.012 * Math.sin((time ?? 0) * 3 + foam * 2)),
      0,
      0,
      Math.PI * 2,
    );
    brush.fill();
  }
}

function paintParts(
  brush: Brush,
  drawing: Drawing,
  tones: Tones,
  place: Placement,
  figure: Figure,
  time: number | null,
  alpha: number,
): void {
  const scale = place.size / 100;
  const { posture } = place;
  const beat = chanceAt(figure.seed, 'beat') * 3;
  brush.save();
  brush.translate(place.x, place.y);
  brush.rotate(place.turn);
  brush.scale(scale * place.scaleX, scale * place.scaleY);
  brush.translate(-50, -100);
  brush.lineCap = 'round';
  brush.lineJoin = 'round';
  brush.globalAlpha = alpha;
  brush.translate(0, wingBob(drawing, time, beat));
  for (const part of drawing.parts) {
    if (part.step !== undefined && (posture !== null || part.move === undefined)) {
      paintLeg(brush, part, part.step, posture, tones);
      continue;
    }
    brush.save();
    if (posture !== null) carryBody(brush, posture);
    if (part.move !== undefined)
      applyMovement(brush, part.move, { time, beat, posture, rolled: place.travelled / scale });
    paintPart(brush, part, tones, alpha);
    brush.restore();
  }
  brush.restore();
}

function paintPart(brush: Brush, part: Part, tones: Tones, alpha: number): void {
  let path = paths.get(part.path);
  if (path === undefined) {
    path = new Path2D(part.path);
    paths.set(part.path, path);
  }
  brush.globalAlpha = alpha * (part.alpha ?? 1);
  if (part.fill !== undefined) {
    const tone = tones[part.fill];
    const gradient = brush.createLinearGradient(tones.litFromLeft ? 0 : 100, 0, tones.litFromLeft ? 100 : 0, 90);
    gradient.addColorStop(0, tone.lit);
    gradient.addColorStop(0.55, tone.plain);
    gradient.addColorStop(1, tone.dim);
    brush.fillStyle = gradient;
    brush.fill(path);
  }
  if (part.line !== undefined) {
    brush.strokeStyle = tones[part.line].plain;
    brush.lineWidth = part.width ?? 1;
    brush.stroke(path);
  }
  brush.globalAlpha = alpha;
}

function carryBody(brush: Brush, { dip, pitch }: Posture): void {
  brush.translate(BODY_MIDDLE.x, BODY_MIDDLE.y + dip);
  brush.rotate(pitch);
  brush.translate(-BODY_MIDDLE.x, -BODY_MIDDLE.y);
}

/** Radians a second of a lighthouse's lamp. */
const SWEEP = 0.9;

/** A lighthouse's light goes round: long to the side, short towards us. */
function paintBeam(brush: Brush, place: Placement, time: number): void {
  const turn = time * SWEEP + 0.5;
  const y = place.y - place.size * 0.78;
  brush.globalCompositeOperation = 'screen';
  for (const side of [0, Math.PI]) {
    const reach = Math.cos(turn + side) * 1.9;
    const rise = -0.1 - 0.06 * Math.sin(turn + side);
    const spread = 0.1 + 0.05 * Math.abs(Math.sin(turn));
    const beam = brush.createLinearGradient(place.x, y, place.x + reach, y + rise);
    beam.addColorStop(0, withAlpha('#ffe9b0', 0.55));
    beam.addColorStop(1, withAlpha('#ffe9b0', 0));
    brush.fillStyle = beam;
    brush.beginPath();
    brush.moveTo(place.x, y - place.size * 0.03);
    brush.lineTo(place.x + reach, y + rise - spread);
    brush.lineTo(place.x + reach, y + rise + spread);
    brush.lineTo(place.x, y + place.size * 0.03);
    brush.fill();
  }
  brush.globalCompositeOperation = 'source-over';
}

/** After dark, windows, lamps and fires throw light about them. */
function paintLamps(brush: Brush, stage: Stage, drawing: Drawing, place: Placement): void {
  const fire = drawing.parts.some((part) => part.fill === 'fire' && part.move !== undefined);
  const lamp = isDark(stage) && drawing.parts.some((part) => part.fill === 'lamp');
  if (!fire && !lamp) return;
  const radius = place.size * (fire ? 1.5 : 0.95);
  brush.globalCompositeOperation = 'screen';
  glow(brush, place.x, place.y - place.size * (fire ? 0.4 : 0.5), radius, [
    [0, withAlpha('#ffb35a', fire ? 0.5 : 0.26)],
    [0.4, withAlpha('#ff9a4a', fire ? 0.18 : 0.09)],
    [1, withAlpha('#ff8a3a', 0)],
  ]);
  brush.globalCompositeOperation = 'source-over';
}
