/**
 * A figure's drawing: parts from back to front on a box 100 high whose foot stands at (50, 100), looking to the right.
 * Colours are named by tone, so that a prompt's colour, the hour and the haze can change them.
 */
export interface Drawing {
  /** What `main` and `accent` are where the prompt names no colour. */
  readonly main: string;
  readonly accent?: string;
  readonly parts: readonly Part[];
}

export interface Part {
  /** SVG path data. */
  readonly path: string;
  readonly fill?: Tone;
  readonly line?: Tone;
  /** Of the line, in the box's units. */
  readonly width?: number;
  readonly alpha?: number;
  readonly move?: Movement;
}

/** `lamp` shines when it is dark; `shade` and `light` are darker and lighter than `main`. */
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
  | 'wood'
  | 'leaf'
  | 'leafShade'
  | 'glass'
  | 'metal'
  | 'lamp'
  | 'fire';

/** How a part moves in films: it turns about a point by an angle (degrees) to and fro or on and on, or flutters (is squeezed) about it. */
export interface Movement {
  readonly kind: 'swing' | 'spin' | 'flutter';
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
