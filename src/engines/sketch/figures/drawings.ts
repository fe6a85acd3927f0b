import type { Figure } from '../scene.ts';
import { ANIMALS } from './animals.ts';
import { ATHLETES } from './athletes.ts';
import { BIRDS } from './birds.ts';
import { BUILDINGS } from './buildings.ts';
import { DISHES } from './dishes.ts';
import type { Drawing } from './drawing.ts';
import { FOOD } from './food.ts';
import { HOME } from './home.ts';
import { JUNGLE_ANIMALS } from './jungle-animals.ts';
import { LANDMARKS } from './landmarks.ts';
import { LEGENDS } from './legends.ts';
import { MACHINES } from './machines.ts';
import { ON_THE_MOVE } from './on-the-move.ts';
import { ON_THE_WING } from './on-the-wing.ts';
import { PEOPLE } from './people.ts';
import { PLANTS } from './plants.ts';
import { portraitOf } from './portraits.ts';
import { PRODUCTS } from './products.ts';
import { PROFESSIONS } from './professions.ts';
import { SEA_LIFE } from './sea-life.ts';
import { SIGHTS } from './sights.ts';
import { SMALL_ANIMALS } from './small-animals.ts';
import { THINGS } from './things.ts';
import { TOKENS } from './tokens.ts';
import { VEHICLES } from './vehicles.ts';
import { WILD_ANIMALS } from './wild-animals.ts';

/** Every figure that can be drawn, by the name that scenes use. */
export const DRAWINGS: Readonly<Record<string, Drawing>> = {
  ...ANIMALS,
  ...WILD_ANIMALS,
  ...BIRDS,
  ...SEA_LIFE,
  ...BUILDINGS,
  ...VEHICLES,
  ...PLANTS,
  ...PEOPLE,
  ...THINGS,
  ...JUNGLE_ANIMALS,
  ...SMALL_ANIMALS,
  ...PROFESSIONS,
  ...HOME,
  ...MACHINES,
  ...FOOD,
  ...LANDMARKS,
  ...TOKENS,
  ...SIGHTS,
  ...PRODUCTS,
  ...LEGENDS,
  ...DISHES,
  ...ATHLETES,
};

/** How a figure is drawn: who walks or runs stands up for it, who flies spreads the wings. */
export function drawingOf({
  kind,
  action,
  where,
  features = [],
}: Pick<Figure, 'kind' | 'action' | 'where' | 'features'>): Drawing | undefined {
  if (kind === 'portrait') return portraitOf(features);
  const moving = action === 'walk' || action === 'run' ? ON_THE_MOVE[kind] : undefined;
  const flying = where === 'air' ? ON_THE_WING[kind] : undefined;
  return flying ?? moving ?? DRAWINGS[kind];
}
