import type { Drawing, Leg } from '../../model/drawing.ts';
import type { Seat } from '../../model/figure-kind.ts';
import { chanceAt } from '../../model/random.ts';
import type { Figure } from '../../model/scene.ts';

/** Speed of a figure and cadence of its legs. */
interface Pace {
  /** World units per second. */
  readonly speed: number;
  /** Full cycles of all legs per second. */
  readonly cadence: number;
  readonly manner: Manner;
}

/** Posture of body, legs and arms at a moment. Lengths in units of the drawing's box, angles in radians. */
export interface Posture {
  /** Number of cycles so far; whole numbers look alike. */
  readonly phase: number;
  /** Distance of the body below its position at rest. */
  readonly dip: number;
  /** Rotation of the body about its middle. */
  readonly pitch: number;
  /** Returns the position of a foot relative to its position at rest; null if it is not visible. */
  readonly footOf: (leg: Leg) => { readonly x: number; readonly y: number } | null;
  /** Returns the rotation of an arm at the shoulder; forward is negative. */
  readonly armOf: (arm: 'near' | 'far') => number;
}

type Manner = keyof typeof MANNERS;

interface Ways {
  /** Cycles per second of a figure of usual size. */
  readonly cadence: number;
  /** Distance covered in one cycle, in lengths of a leg. */
  readonly cycle: number;
  /** Share of a cycle in which a foot stands. */
  readonly duty: number;
  /**
   * Height to which a foot is lifted; depth to which the body sinks (`sink`), its rise and fall (`bob`). In lengths of
   * a leg.
   */
  readonly lift: number;
  readonly sink: number;
  readonly bob: number;
  /** Number of times that the body rises in a cycle; `top` is the phase at which it is highest. */
  readonly bobs: number;
  readonly top: number;
  readonly pitch: number;
  readonly arms: number;
  /** Phase at which each leg comes down. */
  readonly legs: Readonly<Record<Leg, number>>;
  /** Phase that a still shows. */
  readonly shown: number;
}

const PAIRS = { near: 0, far: 0.5, 'hind near': 0, 'front near': 0.25, 'hind far': 0.5, 'front far': 0.75 } as const;
const DIAGONALS = { ...PAIRS, 'front near': 0.5, 'front far': 0 } as const;
const LEAPS = { ...PAIRS, 'hind far': 0.09, 'front near': 0.5, 'front far': 0.6 } as const;

const MANNERS = {
  walk: {
    cadence: 1,
    cycle: 1.1,
    duty: 0.58,
    lift: 0.14,
    sink: 0.06,
    bob: 0.03,
    bobs: 2,
    top: 0.29,
    pitch: 0,
    arms: 24,
    legs: PAIRS,
    shown: 0.02,
  },
  run: {
    cadence: 1.5,
    cycle: 2.1,
    duty: 0.36,
    lift: 0.34,
    sink: 0.06,
    bob: 0.1,
    bobs: 2,
    top: 0.43,
    pitch: 0.09,
    arms: 46,
    legs: PAIRS,
    shown: 0.93,
  },
  gallop: {
    cadence: 1.7,
    cycle: 2.6,
    duty: 0.34,
    lift: 0.36,
    sink: 0.05,
    bob: 0.13,
    bobs: 1,
    top: 0.94,
    pitch: 0.07,
    arms: 0,
    legs: LEAPS,
    shown: 0.42,
  },
  dance: {
    cadence: 1.1,
    cycle: 0,
    duty: 0.5,
    lift: 0.3,
    sink: 0.05,
    bob: 0.09,
    bobs: 2,
    top: 0.25,
    pitch: 0,
    arms: 60,
    legs: DIAGONALS,
    shown: 0.75,
  },
} as const satisfies Record<string, Ways>;

/** Maximum exaggeration of a short step, so that it is visible. */
const FLATTERY = 1.5;
/** Length of legs that are not visible. */
const HIDDEN_LEG = 30;
const USUAL_SIZE = 0.36;

/**
 * Returns the pace of a figure that walks, runs or dances; null for all others.
 * @param longest maximum distance within the film's seconds, in world units.
 */
export function paceOf(
  { action, size }: Pick<Figure, 'action' | 'size'>,
  drawing: Drawing | undefined,
  filmSeconds: number,
  longest: number,
): Pace | null {
  if (action !== 'walk' && action !== 'run' && action !== 'dance') return null;
  const onFours = drawing?.parts.some(({ step }) => step?.leg.startsWith('front') === true) === true;
  const manner = action === 'run' && onFours ? 'gallop' : action;
  const ways = MANNERS[manner];
  const cadence = ways.cadence * Math.min(1.5, Math.max(0.8, Math.sqrt(USUAL_SIZE / size)));
  const natural = ((cadence * ways.cycle * legOf(drawing)) / 100) * size;
  const speed = filmSeconds > 0 ? Math.min(natural, longest / filmSeconds) : natural;
  return { speed, cadence, manner };
}

/** Returns the posture of a figure after `going` seconds at a pace. */
export function strideAt(pace: Pace, figure: Pick<Figure, 'size' | 'seed'>, drawing: Drawing, going: number): Posture {
  const ways: Ways = MANNERS[pace.manner];
  const leg = legOf(drawing);
  const phase = ways.shown + going * pace.cadence + (chanceAt(figure.seed, 'step') - 0.5) * 0.08;
  const way = (pace.speed / pace.cadence / figure.size) * 100 * ways.duty;
  const full = ways.cycle * leg * ways.duty;
  const turn = Math.PI * 2 * phase;
  const reach = Math.min(full, way * FLATTERY);
  const swing = ((ways.arms * Math.PI) / 180) * Math.cos(turn);
  return {
    phase,
    dip: leg * (ways.sink - ways.bob * Math.cos(ways.bobs * (turn - Math.PI * 2 * ways.top))),
    pitch: pace.manner === 'gallop' ? -ways.pitch * Math.sin(turn) : ways.pitch,
    footOf: (which) => stepOf(ways, phase - ways.legs[which], reach, ways.lift * leg),
    // An arm swings against the leg of its side.
    armOf: (side) => (side === 'near' ? swing : -swing),
  };
}

/** Returns the position of a foot: on the ground while the body passes over it, then swinging forward. */
function stepOf({ duty }: Ways, phase: number, reach: number, lift: number): { x: number; y: number } {
  const part = ((phase % 1) + 1) % 1;
  if (part < duty) return { x: reach * (0.5 - part / duty), y: 0 };
  const swung = (part - duty) / (1 - duty);
  const ease = swung * swung * (3 - 2 * swung);
  return { x: reach * (ease - 0.5), y: -lift * Math.sin(Math.PI * swung) };
}

/** Share of a leg that is above the seat. */
const HAUNCH = 0.1;

/**
 * Returns the posture of someone sitting: astride, pedalling, in a boat, or upright with the legs in front.
 * @param turned rotation of the pedals, in radians.
 */
export function sitOn(seat: Seat['posture'], drawing: Drawing, turned: number): Posture {
  const leg = legOf(drawing);
  const rest = { phase: 0, dip: leg * (1 - HAUNCH) };
  if (seat === 'pedalling')
    return {
      ...rest,
      pitch: 0.3,
      armOf: () => -0.95,
      footOf: (which) => {
        const angle = turned + (which === 'near' ? 0 : Math.PI);
        return { x: leg * (0.3 + 0.17 * Math.cos(angle)), y: leg * (0.83 + 0.17 * Math.sin(angle)) };
      },
    };
  if (seat === 'leaning')
    return { ...rest, pitch: 0.2, armOf: () => -1, footOf: () => ({ x: leg * 0.3, y: leg * 0.5 }) };
  if (seat === 'aboard') return { ...rest, pitch: 0, armOf: () => -0.7, footOf: () => null };
  if (seat === 'upright')
    return { ...rest, pitch: 0, armOf: () => -0.5, footOf: () => ({ x: leg * 0.44, y: leg * 0.46 }) };
  const astride = (which: Leg) => (which === 'far' ? null : { x: leg * 0.2, y: leg * 0.66 });
  return { ...rest, pitch: 0, armOf: () => -0.6, footOf: astride };
}

const legs = new WeakMap<Drawing, number>();

/** Returns the length of a drawing's legs in units of its box. */
function legOf(drawing: Drawing | undefined): number {
  if (drawing === undefined) return HIDDEN_LEG;
  const known = legs.get(drawing);
  if (known !== undefined) return known;
  const lengths = drawing.parts.filter(({ step }) => step !== undefined).map(({ path }) => heightOf(path));
  const found = lengths.length === 0 ? HIDDEN_LEG : lengths.reduce((sum, each) => sum + each, 0) / lengths.length;
  legs.set(drawing, found);
  return found;
}

function heightOf(path: string): number {
  const heights = pointsOf(path).map(({ y }) => y);
  return Math.max(...heights) - Math.min(...heights);
}

/** Returns the corners of a path of straight lines: `M20 74 L17 98`. */
export function pointsOf(path: string): { readonly x: number; readonly y: number }[] {
  return [...path.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}
