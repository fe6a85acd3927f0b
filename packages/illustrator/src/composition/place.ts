import { FIGURES } from '../figures/figures.ts';
import type { Spot } from '../model/figure-kind.ts';
import type { BackdropName, GroundName, World } from '../model/scene.ts';

/** The place of a picture. Plants and other figures of the place are in the records of those figures. */
export interface Place {
  readonly world: World;
  readonly ground: GroundName;
  readonly shore: GroundName | null;
  readonly backdrops: readonly BackdropName[];
  readonly growth: readonly { readonly kind: string; readonly density: number }[];
  readonly horizon: number;
  /** The ground's own colour. */
  readonly land: string;
  /** Figures that stand in the place whatever the prompt names. */
  readonly furniture?: readonly (Spot & { readonly kind: string })[];
}

const PLACED_KINDS = Object.entries(FIGURES).filter(
  ([, { growth, furnishes }]) => growth !== undefined || furnishes !== undefined,
);

/** Adds the figures that grow or stand in a place. */
export function withFigures(name: string, place: Place): Place {
  const grown = PLACED_KINDS.flatMap(([kind, { growth }]) => {
    const density = growth?.density[name];
    return density === undefined ? [] : [{ kind, density }];
  });
  const furniture = PLACED_KINDS.flatMap(([kind, { furnishes }]) =>
    (furnishes?.[name] ?? []).map((spot) => ({ kind, ...spot })),
  );
  return { ...place, growth: [...grown, ...place.growth], furniture };
}
