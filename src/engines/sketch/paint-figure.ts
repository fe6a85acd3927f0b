import { Path2D } from '@napi-rs/canvas';
import { mix, withAlpha } from './colour.ts';
import { isDark, type Tones, tonesOf } from './figure-tones.ts';
import type { Drawing, Movement, Part } from './figures/drawing.ts';
import { DRAWINGS } from './figures/drawings.ts';
import { HABITATS } from './habitats.ts';
import { lightPlace } from './paint-sky.ts';
import { chanceAt } from './random.ts';
import type { Figure } from './scene.ts';
import { type Brush, glow, groundY, type Stage, worldX } from './stage.ts';

const paths = new Map<string, Path2D>();

/** A figure at its place, in the light of the hour, with its shadow or its reflection; in films it moves as it would. */
export function paintFigure(brush: Brush, stage: Stage, figure: Figure, time: number): void {
  const drawing = DRAWINGS[figure.kind] ?? DRAWINGS.star;
  if (drawing === undefined) return;
  const place = placeAt(stage, figure, time);
  const tones = tonesOf(stage, figure, drawing);
  const moving = time * stage.scene.motion;
  if (!isAfloat(stage, figure)) {
    if (figure.where === 'ground' && figure.lift === undefined) paintShadow(brush, stage, place);
    paintParts(brush, drawing, tones, place, figure, moving, 1);
  } else if (HABITATS[figure.kind]?.lives === 'under')
    paintSurfacing(brush, stage, drawing, tones, place, figure, moving);
  else {
    if (figure.lift === undefined) paintParts(brush, drawing, tones, { ...place, scaleY: -0.62 }, figure, moving, 0.34);
    paintParts(brush, drawing, tones, place, figure, moving, 1);
  }
  paintLamps(brush, stage, drawing, place);
}

/** What lives below shows its back: the water hides the rest, and foams where it comes out. */
function paintSurfacing(
  brush: Brush,
  stage: Stage,
  drawing: Drawing,
  tones: Tones,
  place: Placement,
  figure: Figure,
  time: number,
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
      place.size * (0.02 + 0.012 * Math.sin(time * 3 + foam * 2)),
      0,
      0,
      Math.PI * 2,
    );
    brush.fill();
  }
}

interface Placement {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly turn: number;
}

/** Where it is at a time: boats rock and make way, what flies crosses the sky, what stands stays. */
function placeAt(stage: Stage, figure: Figure, time: number): Placement {
  const { motion, world } = stage.scene;
  const lives = HABITATS[figure.kind]?.lives ?? 'land';
  const phase = chanceAt(figure.seed, 'phase') * 6.28;
  const heading = figure.flip ? -1 : 1;
  const moving = time * motion;
  let x = worldX(stage, figure.x) + (figure.shift ?? 0);
  let y =
    figure.where === 'air'
      ? figure.y * Math.min(stage.horizon, stage.frame.bottom) + figure.size / 2 - (figure.lift ?? 0)
      : groundY(stage, figure.y) - (figure.lift ?? 0);
  let turn = 0;
  if (figure.where === 'air') {
    const speed =
      { balloon: 0.012, kite: 0, jellyfish: 0.006, planet: 0.004, heart: 0, star: 0, airplane: 0.06, rocket: 0.01 }[
        figure.kind
      ] ?? 0.03;
    x += heading * speed * moving;
    y += Math.sin(moving * 1.1 + phase) * 0.012 * (world === 'space' ? 0.7 : 1);
    if (figure.kind === 'rocket') turn = 0.42 * heading;
    else if (world === 'space' && lives === 'land') turn = Math.sin(moving * 0.5 + phase) * 0.25;
  } else if (isAfloat(stage, figure)) {
    x += heading * 0.008 * moving;
    y += Math.sin(moving * 1.5 + phase) * 0.0045;
    turn = Math.sin(moving * 1.2 + phase) * 0.018;
  }
  return { x, y, size: figure.size, scaleX: heading, scaleY: 1, turn };
}

function isAfloat(stage: Stage, figure: Figure): boolean {
  return stage.scene.ground === 'water' && figure.where === 'ground' && (stage.scene.shore === null || figure.y < 0.7);
}

function paintParts(
  brush: Brush,
  drawing: Drawing,
  tones: Tones,
  place: Placement,
  figure: Figure,
  time: number,
  alpha: number,
): void {
  const scale = place.size / 100;
  brush.save();
  brush.translate(place.x, place.y);
  brush.rotate(place.turn);
  brush.scale(scale * place.scaleX, scale * place.scaleY);
  brush.translate(-50, -100);
  brush.lineCap = 'round';
  brush.lineJoin = 'round';
  for (const part of drawing.parts) {
    if (part.move === undefined) paintPart(brush, part, tones, alpha);
    else {
      brush.save();
      applyMovement(brush, part.move, time + chanceAt(figure.seed, 'beat') * 3);
      paintPart(brush, part, tones, alpha);
      brush.restore();
    }
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
  brush.globalAlpha = 1;
}

function applyMovement(brush: Brush, move: Movement, time: number): void {
  const turn = (time / move.period) * Math.PI * 2;
  brush.translate(move.x, move.y);
  if (move.kind === 'spin') brush.rotate(((move.amount / 360) * turn) % (Math.PI * 2));
  else if (move.kind === 'swing') brush.rotate(((move.amount * Math.PI) / 180) * Math.sin(turn));
  else brush.scale(1, 1 - move.amount * (0.5 + 0.5 * Math.sin(turn)));
  brush.translate(-move.x, -move.y);
}

function paintShadow(brush: Brush, stage: Stage, place: Placement): void {
  const light = lightPlace(stage);
  const away = light === null ? 0 : Math.max(-0.5, Math.min(0.5, (place.x - light.x) * 0.5));
  brush.fillStyle = withAlpha(
    stage.scene.palette.shadow,
    stage.scene.world === 'room' ? 0.36 : isDark(stage) ? 0.22 : 0.28,
  );
  brush.beginPath();
  brush.ellipse(
    place.x + away * place.size * 0.5,
    place.y,
    Math.min(0.24, place.size * (0.36 + Math.abs(away) * 0.4)),
    place.size * 0.045,
    0,
    0,
    Math.PI * 2,
  );
  brush.fill();
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
