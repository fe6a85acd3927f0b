import type { JsonValue } from '@darkroom-service/contract';

/**
 * A picture before it is painted: plain JSON, the same for every size and ratio, stored with the task so that follow-up
 * actions can use it.
 */
export type Scene = {
  readonly version: 1;
  readonly seed: number;
  readonly prompt: string;
  readonly world: World;
  readonly style: StyleName;
  readonly time: TimeName;
  readonly palette: Palette;
  /** Height of the horizon: 0 top, 1 bottom. */
  readonly horizon: number;
  readonly ground: GroundName;
  /** Near land in front of the ground, such as the bank of a lake. */
  readonly shore: GroundName | null;
  /** Between sky and ground, from far to near. */
  readonly backdrops: readonly BackdropName[];
  /** Plants scattered over the ground, such as grass and trees. */
  readonly growth: readonly { readonly kind: string; readonly density: number }[];
  readonly light: LightSource | null;
  readonly weather: Weather;
  readonly figures: readonly Figure[];
  /** The light and weather at the end of a film, if they change. */
  readonly becomes?: Pick<Scene, 'time' | 'palette' | 'light' | 'weather'>;
  readonly lettering: string | null;
  readonly camera: CameraMove;
  /** Liveliness of a film: 0 still, 1 usual, 2 wild. */
  readonly motion: number;
  /** Amount of small detail, up to 2 (an upscale may ask for more). */
  readonly detail: number;
  /** Presentation of reference pictures. */
  readonly referenceUse: 'framed' | 'backdrop';
};

export type World = 'land' | 'space' | 'underwater' | 'room' | 'studio' | 'abstract';

export const STYLES = [
  'illustration',
  'watercolour',
  'ink',
  'pixel_art',
  'neon',
  'paper_cut',
  'blueprint',
  'woodcut',
  'pastel',
  'low_poly',
  'film_noir',
  'stained_glass',
] as const;
export type StyleName = (typeof STYLES)[number];

export const TIMES = ['dawn', 'morning', 'day', 'afternoon', 'sunset', 'dusk', 'night'] as const;
export type TimeName = (typeof TIMES)[number];

export type GroundName =
  | 'meadow'
  | 'water'
  | 'sand'
  | 'snow'
  | 'rock'
  | 'pavement'
  | 'earth'
  | 'moon'
  | 'seabed'
  | 'floor'
  | 'paper';

export type BackdropName =
  | 'mountains'
  | 'peaks'
  | 'hills'
  | 'forest'
  | 'dunes'
  | 'city'
  | 'village'
  | 'volcano'
  | 'islands'
  | 'cliffs'
  | 'cloud_banks';

export const CAMERA_MOVES = ['still', 'push_in', 'pull_out', 'pan_left', 'pan_right', 'rise', 'sink', 'drift'] as const;
export type CameraMove = (typeof CAMERA_MOVES)[number];

/** Concrete colours, `#rrggbb`. */
export type Palette = {
  /** Colours from the zenith down to the horizon. */
  readonly sky: readonly [string, string, string, string];
  readonly sun: string;
  readonly haze: string;
  readonly shadow: string;
  /** The colour of white in this light. */
  readonly ambient: string;
  readonly land: string;
  readonly foliage: string;
  readonly water: string;
  readonly accent: string;
};

export type LightSource = {
  readonly kind: 'sun' | 'moon';
  /** −1 left edge to 1 right edge. */
  readonly x: number;
  /** 0 top to 1 horizon; above 1 it has set, and only its glow is visible. */
  readonly y: number;
  readonly size: number;
};

/** Amounts, 0 to 1. */
export type Weather = {
  readonly clouds: number;
  readonly rain: number;
  readonly snow: number;
  readonly fog: number;
  readonly wind: number;
  readonly lightning: number;
  readonly stars: number;
  readonly aurora: number;
  readonly rainbow: number;
};

const FIGURE_ACTIONS = ['walk', 'run', 'rise', 'fall', 'dance', 'sleep'] as const;
export type ActionName = (typeof FIGURE_ACTIONS)[number];

export type Figure = {
  readonly kind: string;
  /** −1 left edge to 1 right edge of the frame. */
  readonly x: number;
  /** Position on the ground: 0 at the horizon, 1 at the lower edge. In the air: 0 top to 1 horizon. */
  readonly y: number;
  readonly where: 'ground' | 'air';
  /** Height above the ground, in units of the shorter side. */
  readonly lift?: number;
  /** Horizontal offset, in units of the shorter side. Keeps related figures together at every aspect ratio. */
  readonly shift?: number;
  /** Height in units of the shorter side. */
  readonly size: number;
  readonly flip: boolean;
  /** The action that the prompt names. */
  readonly action?: ActionName;
  /** The figure that carries, wears or holds it: it moves along with that figure. */
  readonly carrier?: Pick<Figure, 'kind' | 'size' | 'seed'>;
  /** Whether the figure sits on its carrier; otherwise it stands. */
  readonly sits?: true;
  /** Features of a person, such as `beard` or `old`. */
  readonly features?: readonly string[];
  /** The colour that the prompt names for it. */
  readonly colour: string | null;
  readonly seed: number;
};

/** Reads a scene from stored JSON. @throws TypeError if it is not a scene of this version. */
export function sceneFromJson(value: JsonValue): Scene {
  const found = value as Partial<Scene> | null;
  if (found === null || typeof found !== 'object' || found.version !== 1 || found.palette === undefined) {
    throw new TypeError('expected a kept scene of version 1, found something else; order a new picture');
  }
  return found as Scene;
}
