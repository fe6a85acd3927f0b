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
  /** Direction of the knee: 1 bends forward, −1 backward; absent = as usual for such a leg. */
  readonly bend?: 1 | -1;
  /** The shoe or hoof; `back` and `front` are its length behind and before the foot. */
  readonly shoe?: { readonly tone: Tone; readonly width: number; readonly back: number; readonly front: number };
}

/**
 * `lamp` shines when it is dark; `glow` and `accentGlow` are luminous forms of `main` and `accent`; `shade` and `light`
 * are darker and lighter than `main`.
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
 * Movement of a part in films. It turns about a point by an angle (degrees) to and fro (`swing`) or continuously
 * (`spin`), or is squeezed about it in height (`flutter`) or in length (`wag`). A wing's `beat` goes past the middle to
 * the other side; with `glides`, it rests between beats. A `roll` turns with the distance covered; `amount` is the
 * radius. A `bloom` grows from nothing, stays a while, and begins again.
 */
export interface Movement {
  readonly kind: 'swing' | 'spin' | 'flutter' | 'wag' | 'beat' | 'roll' | 'bloom';
  /** The arm that swings with the steps of a walking figure. */
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

/** Returns the path of equal rectangles on a grid, such as windows. */
export function rectangles(columns: readonly number[], rows: readonly number[], width: number, height: number): string {
  return rows.flatMap((y) => columns.map((x) => rectangle(x, y, width, height))).join(' ');
}

/** Returns a tyre and a rim whose spokes show that it rolls. */
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

/** Returns a leg from hip to foot. */
export function leg(path: string, which: Leg, line: Tone, width: number, shoe?: NonNullable<Step['shoe']>): Part {
  return { path, line, width, step: { leg: which, ...(shoe === undefined ? {} : { shoe }) } };
}
