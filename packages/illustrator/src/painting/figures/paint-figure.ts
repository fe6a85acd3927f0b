import { Path2D } from '@napi-rs/canvas';
import { drawingOf, figureKind } from '../../figures/figures.ts';
import { mix, withAlpha } from '../../model/colour.ts';
import type { Drawing, Part } from '../../model/drawing.ts';
import { chanceAt } from '../../model/random.ts';
import type { Figure } from '../../model/scene.ts';
import { type Brush, glow, type Stage } from '../../model/stage.ts';
import { isDark, type Tones, tonesOf } from './figure-tones.ts';
import type { Posture } from './gait.ts';
import { applyMovement, wingBob } from './move-part.ts';
import { BODY_MIDDLE, paintLeg } from './paint-leg.ts';
import { paintShadow } from './paint-shadow.ts';
import { isAfloat, type Placement, placeAt } from './placement.ts';

const paths = new Map<string, Path2D>();

/** State of a figure that is painted at one moment. */
interface Pose {
  readonly brush: Brush;
  readonly stage: Stage;
  readonly drawing: Drawing;
  readonly tones: Tones;
  readonly place: Placement;
  /** Time in seconds; null if nothing moves. */
  readonly time: number | null;
  /** Seconds by which its movements are ahead of those of other figures. */
  readonly beat: number;
}

/** Paints a figure in the light of the hour, with its shadow or its reflection. */
export function paintFigure(brush: Brush, stage: Stage, figure: Figure, time: number): void {
  const kind = figureKind(figure.kind);
  const drawing = drawingOf(figure);
  const pose: Pose = {
    brush,
    stage,
    drawing,
    tones: tonesOf(stage, figure, drawing),
    place: placeAt(stage, figure, time),
    time: stage.duration > 0 && stage.scene.motion > 0 ? time * stage.scene.motion : null,
    beat: chanceAt(figure.seed, 'beat') * 3,
  };
  if (!isAfloat(stage, figure)) {
    if (figure.where === 'ground' && figure.lift === undefined) paintShadow(brush, stage, pose.place, drawing);
    paintParts(pose, 1);
  } else if (kind.habitat.lives === 'under') paintSurfacing(pose);
  else {
    if (figure.lift === undefined) paintParts({ ...pose, place: { ...pose.place, scaleY: -0.62 } }, 0.34);
    paintParts(pose, 1);
  }
  paintLamps(pose);
  if (kind.beam !== undefined && isDark(stage)) paintBeam(pose, kind.beam.up);
}

/** Paints the back of an animal that comes to the surface: the water hides the rest, and foams around it. */
function paintSurfacing(pose: Pose): void {
  const { brush, stage, place, time } = pose;
  brush.save();
  brush.beginPath();
  brush.rect(stage.seen.left, stage.seen.top - 1, stage.seen.right - stage.seen.left, place.y - stage.seen.top + 1);
  brush.clip();
  paintParts({ ...pose, place: { ...place, y: place.y + place.size * 0.36 } }, 1);
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

function paintParts({ brush, drawing, tones, place, time, beat }: Pose, alpha: number): void {
  const scale = place.size / 100;
  const { posture } = place;
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

/** Radians per second of a turning beam. */
const SWEEP = 0.9;

/** Paints the beam of a lighthouse: long to the side, short towards the viewer. */
function paintBeam({ brush, place, time }: Pose, up: number): void {
  const turn = (time ?? 0) * SWEEP + 0.5;
  const y = place.y - place.size * up;
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

/** Paints the light of fires and, after dark, of windows and lamps. */
function paintLamps({ brush, stage, drawing, place }: Pose): void {
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
