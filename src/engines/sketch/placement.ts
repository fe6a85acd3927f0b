import { HABITATS } from './habitats.ts';
import { chanceAt } from './random.ts';
import type { Figure } from './scene.ts';
import { groundY, type Stage, worldX } from './stage.ts';

/** Where a figure stands in a picture, in world units. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly turn: number;
}

/** World units a second. */
const FLIGHTS: Readonly<Record<string, number>> = {
  balloon: 0.012,
  party_balloons: 0.006,
  kite: 0,
  jellyfish: 0.006,
  planet: 0.004,
  heart: 0,
  star: 0,
  airplane: 0.06,
  helicopter: 0.05,
  rocket: 0.01,
};
/** What drives whenever there is a film of it. */
const DRIVES: Readonly<Record<string, number>> = {
  train: 0.09,
  car: 0.09,
  bus: 0.07,
  truck: 0.07,
  motorcycle: 0.11,
  bicycle: 0.05,
  tractor: 0.03,
};
const STEPS: Readonly<Record<string, { speed: number; beat: number; hop: number; lean: number }>> = {
  walk: { speed: 0.05, beat: 6, hop: 0.02, lean: 0.03 },
  run: { speed: 0.13, beat: 10, hop: 0.06, lean: 0.07 },
  dance: { speed: 0, beat: 6, hop: 0.07, lean: 0.12 },
};

/** Where it is at a time: boats rock and make way, what flies crosses the sky, what drives, walks or runs passes by, what stands stays. */
export function placeAt(stage: Stage, figure: Figure, time: number): Placement {
  const { motion, world } = stage.scene;
  const phase = chanceAt(figure.seed, 'phase') * 6.28;
  const heading = figure.flip ? -1 : 1;
  const moving = time * motion;
  const passed = (time - stage.duration / 2) * motion;
  let x = worldX(stage, figure.x) + (figure.shift ?? 0);
  let y = standsAt(stage, figure);
  let turn = 0;
  const step = STEPS[figure.action ?? ''];
  const drive = DRIVES[figure.kind];
  if (figure.where === 'air') {
    const speed = FLIGHTS[figure.kind] ?? 0.03;
    x += heading * speed * moving;
    y += Math.sin(moving * 1.1 + phase) * 0.012 * (world === 'space' ? 0.7 : 1);
    if (figure.action === 'rise') y -= passed * 0.05;
    else if (figure.action === 'fall') y += passed * 0.05;
    else if (figure.kind === 'rocket') turn = 0.42 * heading;
    else if (world === 'space' && HABITATS[figure.kind]?.lives === 'land') turn = Math.sin(moving * 0.5 + phase) * 0.25;
  } else if (isAfloat(stage, figure)) {
    x += heading * 0.025 * passed * (stage.duration > 0 ? 1 : 0);
    y += Math.sin(moving * 1.5 + phase) * 0.0045;
    turn = Math.sin(moving * 1.2 + phase) * 0.018;
  } else if (stage.duration > 0 && drive !== undefined && figure.lift === undefined) {
    x += heading * drive * passed;
    y -= Math.abs(Math.sin(moving * 9 + phase)) * 0.0016;
  } else if (stage.duration > 0 && step !== undefined) {
    x += heading * step.speed * passed;
    y -= Math.abs(Math.sin(moving * step.beat + phase)) * step.hop * figure.size;
    turn = Math.sin(moving * step.beat * 2 + phase) * step.lean;
  }
  return { x, y, size: figure.size, scaleX: heading, scaleY: 1, turn };
}

/** What flies is never cut by the upper edge. */
function standsAt(stage: Stage, figure: Figure): number {
  if (figure.where === 'ground') return groundY(stage, figure.y) - (figure.lift ?? 0);
  const height = Math.max(figure.y * Math.min(stage.horizon, stage.frame.bottom), figure.size * 0.56);
  return height + figure.size / 2 - (figure.lift ?? 0);
}

/** Whether it lies in the water and not on its bank. */
export function isAfloat(stage: Stage, figure: Figure): boolean {
  return stage.scene.ground === 'water' && figure.where === 'ground' && (stage.scene.shore === null || figure.y < 0.7);
}
