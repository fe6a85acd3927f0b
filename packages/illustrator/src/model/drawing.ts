/**
 * The drawing of a figure: parts from back to front in a box 100 high. The foot stands at (50, 100) and the figure
 * looks to the right. Colours are named by tone, so that a prompt's colour, the hour and the haze can change them.
 */
export interface Drawing {
  /** Colours for `main` and `accent` if the prompt names none. */
  readonly main: string;
  readonly accent?: string;
  readonly parts: readonly Part[];
}

export interface Part {
  /** SVG path data. */
  readonly path: string;
  readonly fill?: Tone;
  readonly line?: Tone;
  /** Width of the line in units of the box. */
  readonly width?: number;
  readonly alpha?: number;
  readonly move?: Movement;
  /** The step of a leg, whose path consists of straight lines from the hip to the foot. */
  readonly step?: Step;
}

/** Far legs are drawn behind the body. */
export type Leg = 'near' | 'far' | 'hind near' | 'hind far' | 'front near' | 'front far';

export interface Step {
  readonly leg: Leg;
  /** 1 bends forward, −1 backward; otherwise as such a leg does. */
  readonly bend?: 1 | -1;
  /** How far it reaches behind and before the foot. */
  readonly shoe?: { readonly tone: Tone; readonly width: number; readonly back: number; readonly front: number };
}

/**
 * `lamp` shines when it is dark; `glow` and `accentGlow` are `main` and `accent` with a light of their own; `shade` and
 * `light` are darker and lighter than `main`.
 */
export type Tone =
  | 'main'
  | 'shade'
  | 'deep'
  | 'light'
  | 'pale'
  | 'accent'
  | 'accentShade'
  | 'white'
  | 'grey'
  | 'ink'
  | 'skin'
  | 'lip'
  | 'wood'
  | 'leaf'
  | 'leafShade'
  | 'glass'
  | 'metal'
  | 'lamp'
  | 'fire'
  | 'glow'
  | 'accentGlow';

/**
 * How a part moves in films: it turns about a point by an angle (degrees) to and fro (`swing`) or on and on (`spin`),
 * or is squeezed about it in height (`flutter`) or in length (`wag`). A wing's `beat` goes past the middle and out on
 * the other side; what `glides` rests between beats. What `rolls` turns as the way goes, `amount` being its radius.
 * What `blooms` grows from nothing, stays a while, and begins anew.
 */
export interface Movement {
  readonly kind: 'swing' | 'spin' | 'flutter' | 'wag' | 'beat' | 'roll' | 'bloom';
  /** An arm swings with the steps of one who walks. */
  readonly arm?: 'near' | 'far';
  readonly glides?: true;
  readonly x: number;
  readonly y: number;
  readonly amount: number;
  /** Seconds of one turn or beat. */
  readonly period: number;
}

export function oval(x: number, y: number, radiusX: number, radiusY: number = radiusX): string {
  return `M${x - radiusX} ${y} a${radiusX} ${radiusY} 0 1 0 ${radiusX * 2} 0 a${radiusX} ${radiusY} 0 1 0 ${-radiusX * 2} 0 Z`;
}

export function rectangle(x: number, y: number, width: number, height: number): string {
  return `M${x} ${y} h${width} v${height} h${-width} Z`;
}

/** Rectangles of one size on a grid, for windows and the like. */
export function rectangles(columns: readonly number[], rows: readonly number[], width: number, height: number): string {
  return rows.flatMap((y) => columns.map((x) => rectangle(x, y, width, height))).join(' ');
}

/** A tyre and a rim whose spokes show that it rolls. */
export function wheel(x: number, y: number, radius: number, rim: Tone = 'grey'): readonly Part[] {
  const inner = radius * 0.52;
  const spokes = [0, 1, 2].map((spoke) => {
    const [dx, dy] = [Math.cos((spoke * Math.PI) / 3) * inner, Math.sin((spoke * Math.PI) / 3) * inner];
    return `M${(x - dx).toFixed(1)} ${(y - dy).toFixed(1)} L${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  });
  return [
    { path: oval(x, y, radius), fill: 'ink' },
    { path: oval(x, y, inner), fill: rim },
    {
      path: spokes.join(' '),
      line: 'ink',
      width: radius * 0.09,
      move: { kind: 'roll', x, y, amount: radius, period: 1 },
    },
  ];
}

/** A leg from hip to foot. */
export function leg(path: string, which: Leg, line: Tone, width: number, shoe?: NonNullable<Step['shoe']>): Part {
  return { path, line, width, step: { leg: which, ...(shoe === undefined ? {} : { shoe }) } };
}
