import { drawingOf, figureKind } from '../../figures/figures.ts';
import { chanceAt } from '../../model/random.ts';
import type { Figure } from '../../model/scene.ts';
import { groundY, type Stage, worldX } from '../../model/stage.ts';
import { type Posture, paceOf, sitOn, strideAt } from './gait.ts';

/** The position of a figure in a picture, in world units. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly turn: number;
  /** Distance covered since the middle of the film, in world units. */
  readonly travelled: number;
  /** Posture of body and limbs; null for figures that neither walk nor sit. */
  readonly posture: Posture | null;
  /** Height of the leap above the ground. */
  readonly leap: number;
}

/** World units per second. */
const USUAL_FLIGHT = 0.05;
/** Maximum distance in a film, in world units, so that figures stay in the picture. */
const LONGEST_WAY = 1.2;
const SHORTEST_WAY = 0.3;
/** Length of flying and swimming figures in fractions of their height. */
const FLYING_REACH = 1.8;
/** Distance that the camera moves meanwhile. */
const CAMERA_WAY = 0.1;
/** Hop and lean of figures whose legs are not visible. */
const USUAL_HOP = { height: 0.07, lean: 0.05 } as const;

/** Returns a figure's placement at a time: boats rock, flying figures cross the sky, vehicles and walkers pass by. */
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
  const rest =
    seated === undefined
      ? at
      : { ...at, posture: sitOn(figureKind(mover.kind).seat?.posture, seated, PEDALS * passed) };
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
  const pace = world === 'space' && stage.horizon > 1 ? null : paceOf(mover, drawing, stage.duration, longest);
  if (pace === null) return rest;
  const posture = strideAt(pace, mover, drawing, passed);
  const gone = { ...rest, x: rest.x + heading * pace.speed * passed };
  if (figure.carrier !== undefined) return { ...gone, y: gone.y + (posture.dip / 100) * mover.size };
  if (drawing.parts.some(({ step }) => step !== undefined)) return { ...gone, posture };
  const { height: hop, lean } = figureKind(figure.kind).gait?.hop ?? USUAL_HOP;
  const beat = Math.PI * 2 * posture.phase;
  // A figure that hops far leans into the leap and out of it; the others lean from foot to foot.
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
  const { gait, habitat } = figureKind(figure.kind);
  const room = stage.duration > 0 ? roomToGo(stage, figure, figure.size * FLYING_REACH, 0.08) / stage.duration : 0;
  const speed = Math.min(gait?.flightSpeed ?? USUAL_FLIGHT, room);
  const x = rest.x + heading * speed * (stage.duration > 0 ? passed : 0);
  const y = rest.y + Math.sin(moving * 1.1 + phase) * 0.012 * (world === 'space' ? 0.7 : 1);
  if (figure.action === 'rise') return { ...rest, x, y: y - passed * 0.05 };
  if (figure.action === 'fall') return { ...rest, x, y: y + passed * 0.05 };
  if (gait?.flightTilt !== undefined) return { ...rest, x, y, turn: gait.flightTilt * heading };
  if (world === 'space' && habitat.lives === 'land')
    return { ...rest, x, y, turn: Math.sin(moving * 0.5 + phase) * 0.25 };
  if (world === 'underwater' && habitat.lives === 'under')
    return { ...rest, x, y, turn: Math.sin(moving * SWIM + phase) * 0.035 };
  return { ...rest, x, y };
}

/** Radians per second of pedals. */
const PEDALS = 5;
/** Radians per second of a swimming body. */
const SWIM = 2.6;

/** Returns the maximum distance that keeps a figure visible at the film's beginning and end. */
function roomToGo({ frame, scene }: Stage, figure: Figure, size: number, least: number = SHORTEST_WAY): number {
  const camera = scene.camera === 'still' ? 0 : CAMERA_WAY;
  const room = 2 * (frame.right - Math.abs(figure.x * frame.right) - size * 0.5 - camera);
  return Math.max(least, Math.min(LONGEST_WAY, room));
}

/** Returns the speed of a vehicle or of its rider, in world units per second. */
function driveOf(stage: Stage, figure: Figure, kind: string, longest: number): number {
  const { driveSpeed: speed, needsRider } = figureKind(kind).gait ?? {};
  if (speed === undefined || stage.duration <= 0) return 0;
  const held = figure.lift !== undefined && figure.carrier === undefined;
  if (held) return 0;
  const ridden = stage.scene.figures.some(({ carrier }) => carrier?.kind === kind);
  if (needsRider === true && !ridden && figure.action === undefined) return 0;
  return Math.min(speed, longest / stage.duration);
}

/** Returns the y of a figure's foot. The upper edge never cuts flying figures. */
function standsAt(stage: Stage, figure: Figure): number {
  if (figure.where === 'ground') return groundY(stage, figure.y) - (figure.lift ?? 0);
  const height = Math.max(figure.y * Math.min(stage.horizon, stage.frame.bottom), figure.size * 0.56);
  return height + figure.size / 2 - (figure.lift ?? 0);
}

/** Returns whether a figure is on the water and not on its shore. */
export function isAfloat(stage: Stage, figure: Figure): boolean {
  return stage.scene.ground === 'water' && figure.where === 'ground' && (stage.scene.shore === null || figure.y < 0.7);
}
