import type { JsonValue } from '@darkroom-service/contract';
import { deriveSeed } from '../model/random.ts';
import { type Scene, sceneFromJson } from '../model/scene.ts';
import type { View } from '../model/stage.ts';
import { composeScene, type SceneOptions } from './compose-scene.ts';

/** A rectangle in fractions of a picture; values below 0 and above 1 are outside it. */
export type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Placement of the parent's pixels in a new picture. */
export type Base = {
  /** The part of the parent that is used. */
  readonly crop: Area;
  /** The position of that part in the new picture. */
  readonly place: Area;
  /** Width of its soft edge, in fractions of its shorter side; 0 keeps every pixel. */
  readonly feather: number;
  /** True if a mask marks where the new painting replaces it. */
  readonly masked: boolean;
};

/** A picture to paint. Plain JSON, stored with the task. */
export type Plan = {
  readonly version: 1;
  readonly kind: 'single' | 'grid';
  /** The scene, or the four of a grid: top left, top right, bottom left, bottom right. */
  readonly scenes: readonly Scene[];
  readonly view: View | null;
  readonly base: Base | null;
  /**
   * True if scenes and view determine the whole picture; false if it contains pixels of a parent or of reference
   * pictures.
   */
  readonly pure: boolean;
  /** The action that made it, for a reroll; null for a plain create. */
  readonly origin: Origin | null;
};

export type Origin = {
  readonly action: string;
  readonly values: { readonly [name: string]: JsonValue };
  readonly parent: Omit<Plan, 'origin'>;
};

export interface CompositionOptions extends SceneOptions {
  readonly tiles: 4 | null;
  /** Number of reference pictures shown. */
  readonly references?: number;
}

/** Plans a plain create. The tiles of a grid are four scenes of one prompt. */
export function planPicture(wishes: CompositionOptions): Plan {
  const seeds =
    wishes.tiles === null ? [wishes.seed] : [0, 1, 2, 3].map((tile) => deriveSeed(wishes.seed, 'tile', tile));
  return {
    version: 1,
    kind: wishes.tiles === null ? 'single' : 'grid',
    scenes: seeds.map((seed) => composeScene({ ...wishes, seed })),
    view: null,
    base: null,
    pure: (wishes.references ?? 0) === 0,
    origin: null,
  };
}

/** Reads a plan from stored JSON. @throws TypeError if it is not a plan of this version. */
export function planFromJson(value: JsonValue): Plan {
  const found = value as Partial<Plan> | null;
  if (found === null || typeof found !== 'object' || found.version !== 1 || !Array.isArray(found.scenes)) {
    throw new TypeError('expected a kept plan of version 1, found something else; order a new picture');
  }
  for (const scene of found.scenes) sceneFromJson(scene as JsonValue);
  return found as Plan;
}
