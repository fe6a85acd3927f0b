import { drawingOf } from './figures/drawings.ts';
import { type Posture, paceOf, sitOn, strideAt } from './gait.ts';
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
  /** How far it has gone since the middle of the film, in world units. */
  readonly travelled: number;
  /** How body and limbs are, of one who goes or sits. */
  readonly posture: Posture | null;
  /** How far it has leapt off the ground. */
  readonly leap: number;
}

/** World units a second. */
const FLIGHTS: Readonly<Record<string, number>> = {
  balloon: 0.012,
  party_balloons: 0.006,
  kite: 0,
  jellyfish: 0.006,
  planet: 0.004,
  firework: 0,
  floating_island: 0.004,
  heart: 0,
  star: 0,
  airplane: 0.06,
  helicopter: 0.05,
  rocket: 0.01,
};
/** What drives whenever there is a film of it. */
const DRIVES: Readonly<Record<string, number>> = {
  train: 0.3,
  car: 0.4,
  bus: 0.3,
  truck: 0.3,
  motorcycle: 0.42,
  bicycle: 0.26,
  tractor: 0.12,
  skateboard: 0.24,
  cyclist: 0.28,
};
/** A film shows the way past, not out of the picture. World units, whatever the frame is like. */
const LONGEST_WAY = 1.2;
const SHORTEST_WAY = 0.3;
/** What flies or swims is longer than it is high. */
const FLYING_REACH = 1.8;
/** How far the camera goes meanwhile. */
const CAMERA_WAY = 0.1;
/** These fall over without a rider: they go only where someone sits on them, or where the prompt says so. */
const TWO_WHEELED = ['bicycle', 'motorcycle', 'skateboard'];
/** How those go whose legs are too short to be seen to step: how high they hop and how far they lean, in parts of their height and in radians. */
const LEGLESS: Readonly<Record<string, { readonly hop: number; readonly lean: number }>> = {
  penguin: { hop: 0.015, lean: 0.1 },
  panda: { hop: 0.02, lean: 0.07 },
  snail: { hop: 0, lean: 0 },
  crocodile: { hop: 0, lean: 0.015 },
  mouse: { hop: 0.03, lean: 0.02 },
  rabbit: { hop: 0.3, lean: 0.16 },
  frog: { hop: 0.4, lean: 0.12 },
  squirrel: { hop: 0.22, lean: 0.16 },
  ghost: { hop: 0.03, lean: 0.05 },
  wizard: { hop: 0.02, lean: 0.02 },
  witch: { hop: 0.02, lean: 0.02 },
  king: { hop: 0.02, lean: 0.02 },
  queen: { hop: 0.02, lean: 0.02 },
};
const HOPPING = { hop: 0.07, lean: 0.05 } as const;

/** Where it is at a time: boats rock and make way, what flies crosses the sky, what drives, walks or runs passes by, what stands stays. */
export function placeAt(stage: Stage, figure: Figure, time: number): Placement {
  const { motion, world } = stage.scene;
  const film = stage.duration > 0;
  const mover = figure.carrier === undefined ? figure : { ...figure, ...figure.carrier };
  const phase = chanceAt(mover.seed, 'phase') * 6.28;
  const heading = figure.flip ? -1 : 1;
  const moving = time * motion;
  const passed = film ? (time - stage.duration / 2) * motion : 0;
  const place = { x: worldX(stage, figure.x) + (figure.shift ?? 0), y: standsAt(stage, figure), size: figure.size };
  const seated = figure.sits === true && figure.carrier !== undefined ? drawingOf(figure) : undefined;
  const at = { ...place, scaleX: heading, scaleY: 1, turn: 0, travelled: 0, posture: null, leap: 0 };
  const rest = seated === undefined ? at : { ...at, posture: sitOn(mover.kind, seated, PEDALS * passed) };
  if (figure.where === 'air') return fly(stage, figure, rest, { heading, moving, passed, phase });
  if (isAfloat(stage, figure)) {
    const way = film ? 0.025 * passed : 0;
    const turn = Math.sin(moving * 1.2 + phase) * 0.018;
    return { ...rest, x: rest.x + heading * way, y: rest.y + Math.sin(moving * 1.5 + phase) * 0.0045, turn };
  }
  const longest = roomToGo(stage, figure, mover.size);
  const drive = driveOf(stage, figure, mover.kind, longest);
  if (drive > 0) {
    const travelled = drive * passed;
    const shaken = film ? Math.abs(Math.sin(moving * 9 + phase)) * 0.0016 : 0;
    return { ...rest, x: rest.x + heading * travelled, y: rest.y - shaken, travelled };
  }
  const drawing = drawingOf(mover);
  const pace =
    drawing === undefined || (world === 'space' && stage.horizon > 1)
      ? null
      : paceOf(mover, drawing, stage.duration, longest);
  if (drawing === undefined || pace === null) return rest;
  const posture = strideAt(pace, mover, drawing, passed);
  const gone = { ...rest, x: rest.x + heading * pace.speed * passed };
  if (figure.carrier !== undefined) return { ...gone, y: gone.y + (posture.dip / 100) * mover.size };
  if (drawing.parts.some(({ step }) => step !== undefined)) return { ...gone, posture };
  const { hop, lean } = LEGLESS[figure.kind] ?? HOPPING;
  const beat = Math.PI * 2 * posture.phase;
  // One that hops far leans into the leap and out of it; the others lean from foot to foot.
  const turn = hop > 0.1 ? -heading * lean * Math.cos(beat) : lean * Math.sin(beat);
  const leap = Math.abs(Math.sin(hop > 0.1 ? beat / 2 : beat)) * hop * figure.size;
  return { ...gone, y: gone.y - leap, leap, turn, posture };
}

interface Course {
  readonly heading: number;
  readonly moving: number;
  readonly passed: number;
  readonly phase: number;
}

function fly(stage: Stage, figure: Figure, rest: Placement, { heading, moving, passed, phase }: Course): Placement {
  const { world } = stage.scene;
  const room = stage.duration > 0 ? roomToGo(stage, figure, figure.size * FLYING_REACH, 0.08) / stage.duration : 0;
  const speed = Math.min(FLIGHTS[figure.kind] ?? 0.05, room);
  const x = rest.x + heading * speed * (stage.duration > 0 ? passed : 0);
  const y = rest.y + Math.sin(moving * 1.1 + phase) * 0.012 * (world === 'space' ? 0.7 : 1);
  if (figure.action === 'rise') return { ...rest, x, y: y - passed * 0.05 };
  if (figure.action === 'fall') return { ...rest, x, y: y + passed * 0.05 };
  if (figure.kind === 'rocket') return { ...rest, x, y, turn: 0.42 * heading };
  if (world === 'space' && HABITATS[figure.kind]?.lives === 'land')
    return { ...rest, x, y, turn: Math.sin(moving * 0.5 + phase) * 0.25 };
  if (world === 'underwater' && HABITATS[figure.kind]?.lives === 'under')
    return { ...rest, x, y, turn: Math.sin(moving * SWIM + phase) * 0.035 };
  return { ...rest, x, y };
}

/** Radians a second of pedals. */
const PEDALS = 5;
/** Radians a second of a body that swims. */
const SWIM = 2.6;

/** How far it may go and still be seen at the film's beginning and end. */
function roomToGo({ frame, scene }: Stage, figure: Figure, size: number, least: number = SHORTEST_WAY): number {
  const camera = scene.camera === 'still' ? 0 : CAMERA_WAY;
  const room = 2 * (frame.right - Math.abs(figure.x * frame.right) - size * 0.5 - camera);
  return Math.max(least, Math.min(LONGEST_WAY, room));
}

/** World units a second of what drives, or is carried by what does. */
function driveOf(stage: Stage, figure: Figure, kind: string, longest: number): number {
  const speed = DRIVES[kind];
  if (speed === undefined || stage.duration <= 0) return 0;
  const held = figure.lift !== undefined && figure.carrier === undefined;
  if (held) return 0;
  const ridden = stage.scene.figures.some(({ carrier }) => carrier?.kind === kind);
  if (TWO_WHEELED.includes(kind) && !ridden && figure.action === undefined) return 0;
  return Math.min(speed, longest / stage.duration);
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
