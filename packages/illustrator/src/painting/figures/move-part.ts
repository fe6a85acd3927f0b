import type { Drawing, Movement } from '../../model/drawing.ts';
import type { Brush } from '../../model/stage.ts';
import type { Posture } from './gait.ts';

interface Moment {
  /** Time in seconds; null for stills. */
  readonly time: number | null;
  /** Seconds by which this figure is ahead of the others. */
  readonly beat: number;
  readonly posture: Posture | null;
  /** Distance rolled, in units of the drawing's box. */
  readonly rolled: number;
}

/** Position of wings in a still, where they are well visible. */
const SPREAD = 0.85;
/** Seconds of a period of beating and gliding. */
const GLIDE = 4.4;
/** Distance by which a beating wing lifts the body, in units of the drawing's box. */
const LIFTED = 5;

/** Turns or squeezes the brush for a part that moves. */
export function applyMovement(brush: Brush, move: Movement, moment: Moment): void {
  const seconds = (moment.time ?? 0) + moment.beat;
  const turn = (seconds / move.period) * Math.PI * 2;
  brush.translate(move.x, move.y);
  if (move.kind === 'spin') brush.rotate(((move.amount / 360) * turn) % (Math.PI * 2));
  else if (move.kind === 'roll') brush.rotate((moment.rolled / move.amount) % (Math.PI * 2));
  else if (move.kind === 'swing') brush.rotate(swungBy(move, moment.posture, turn));
  else if (move.kind === 'flutter') brush.scale(1, 1 - move.amount * (0.5 + 0.5 * Math.sin(turn)));
  else if (move.kind === 'wag') brush.scale(1 - move.amount * (0.5 + 0.5 * Math.sin(turn)), 1);
  else if (move.kind === 'beat') brush.scale(1, wingAt(move, moment));
  else {
    const grown = bloomAt(move, moment);
    brush.scale(grown, grown);
  }
  brush.translate(-move.x, -move.y);
}

function swungBy({ arm, amount }: Movement, posture: Posture | null, turn: number): number {
  if (arm === undefined || posture === null) return ((amount * Math.PI) / 180) * Math.sin(turn);
  return posture.armOf(arm);
}

/** Returns the position of a wing: 1 all the way up, 0 edge on, below that down. */
function wingAt(move: Movement, { time, beat }: Moment): number {
  if (time === null) return SPREAD - (beat / 3) * 0.3;
  const seconds = time + beat;
  const wave = 0.5 - 0.5 * Math.cos((seconds / move.period) * Math.PI * 2);
  if (move.glides !== true) return 1 - move.amount * wave;
  const calm = Math.min(1, Math.max(0, 2.5 * Math.sin((seconds / GLIDE) * Math.PI * 2)));
  return (1 - move.amount * wave) * (1 - calm) + 0.55 * calm;
}

/** Returns the size of a blooming part: it grows fast at first, then slower; a still shows it open. */
function bloomAt({ period }: Movement, { time, beat }: Moment): number {
  if (time === null) return 1 - beat * 0.1;
  const part = ((time + beat * 1.7) / period) % 1;
  return 1.06 * (1 - (1 - part) ** 3) * Math.min(1, (1 - part) * 5) ** 0.5 + 0.001;
}

/** Returns the body's vertical shift: it sinks while its wings go up, and rises with their beat down. */
export function wingBob(drawing: Drawing, time: number | null, beat: number): number {
  if (time === null) return 0;
  const wing = drawing.parts.find((part) => part.move?.kind === 'beat')?.move;
  if (wing === undefined || wing.period < 0.3) return 0;
  return LIFTED * wing.amount * (wingAt(wing, { time, beat, posture: null, rolled: 0 }) - 0.5);
}
