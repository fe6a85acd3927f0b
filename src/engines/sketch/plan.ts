import type { JsonValue } from '../../base/canonical-json.ts';
import { composeScene, type SceneWishes } from './compose-scene.ts';
import { deriveSeed } from './random.ts';
import { type Scene, sceneFromJson } from './scene.ts';
import type { View } from './stage.ts';

/** In fractions of a picture; what lies beyond 0 and 1 is outside it. */
export type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** How the parent's own pixels stand in a picture. */
export type Base = {
  /** What of the parent is taken. */
  readonly crop: Area;
  /** Where it stands in the new picture. */
  readonly place: Area;
  /** How far its edge melts into what is painted about it, in fractions of its shorter side; 0 keeps every pixel. */
  readonly feather: number;
  /** Whether a mask says where the new painting replaces it. */
  readonly masked: boolean;
};

/** What is to be painted: plain JSON, kept with the task. */
export type Plan = {
  readonly version: 1;
  readonly kind: 'single' | 'grid';
  /** One, or the four of a grid: top left, top right, bottom left, bottom right. */
  readonly scenes: readonly Scene[];
  readonly view: View | null;
  readonly base: Base | null;
  /** Whether scenes and view alone say what is seen; false where pixels of a parent or of reference pictures are part of it. */
  readonly pure: boolean;
  /** The action that made it, for a reroll; null for a plain create. */
  readonly origin: Origin | null;
};

export type Origin = {
  readonly action: string;
  readonly values: { readonly [name: string]: JsonValue };
  readonly parent: Omit<Plan, 'origin'>;
};

export interface PlanWishes extends SceneWishes {
  readonly tiles: 4 | null;
  /** How many reference pictures are shown. */
  readonly references?: number;
}

/** The plan of a plain create. The tiles of a grid are four answers to one prompt. */
export function planPicture(wishes: PlanWishes): Plan {
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

/** A plan out of stored JSON. @throws TypeError when it is none of this version. */
export function planFromJson(value: JsonValue): Plan {
  const found = value as Partial<Plan> | null;
  if (found === null || typeof found !== 'object' || found.version !== 1 || !Array.isArray(found.scenes)) {
    throw new TypeError('expected a kept plan of version 1, found something else; order a new picture');
  }
  for (const scene of found.scenes) sceneFromJson(scene as JsonValue);
  return found as Plan;
}
