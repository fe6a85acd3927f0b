import type { Drawing } from '../model/drawing.ts';
import type { FigureKind, FigureKinds } from '../model/figure-kind.ts';
import type { Figure } from '../model/scene.ts';
import { ACCESSORIES } from './accessories.ts';
import { AIRCRAFT } from './aircraft.ts';
import { ATHLETES } from './athletes.ts';
import { BIRDS } from './birds.ts';
import { BOATS } from './boats.ts';
import { BUILDINGS } from './buildings.ts';
import { CHRISTMAS } from './christmas.ts';
import { DRINKS } from './drinks.ts';
import { EUROPEAN_LANDMARKS } from './european-landmarks.ts';
import { FAIRY_TALE_PEOPLE } from './fairy-tale-people.ts';
import { FARM_ANIMALS } from './farm-animals.ts';
import { FESTIVALS } from './festivals.ts';
import { FLOWERS } from './flowers.ts';
import { FOREST_ANIMALS } from './forest-animals.ts';
import { FRUIT } from './fruit.ts';
import { FURNITURE } from './furniture.ts';
import { HOUSEHOLD } from './household.ts';
import { JUNGLE_ANIMALS } from './jungle-animals.ts';
import { MEALS } from './meals.ts';
import { MYTHICAL_ANIMALS } from './mythical-animals.ts';
import { NATURE } from './nature.ts';
import { OCCUPATIONS } from './occupations.ts';
import { PEOPLE } from './people.ts';
import { PETS } from './pets.ts';
import { ROAD_VEHICLES } from './road-vehicles.ts';
import { SAVANNA_ANIMALS } from './savanna-animals.ts';
import { SEA_ANIMALS } from './sea-animals.ts';
import { SMALL_CREATURES } from './small-creatures.ts';
import { SPACE } from './space.ts';
import { SWEETS } from './sweets.ts';
import { SYMBOLS } from './symbols.ts';
import { TOWN } from './town.ts';
import { TREES } from './trees.ts';
import { WORLD_LANDMARKS } from './world-landmarks.ts';

/** Every kind of figure, by the name that scenes use. */
export const FIGURES: FigureKinds = {
  ...FOREST_ANIMALS,
  ...PETS,
  ...FARM_ANIMALS,
  ...SAVANNA_ANIMALS,
  ...JUNGLE_ANIMALS,
  ...BIRDS,
  ...SMALL_CREATURES,
  ...SEA_ANIMALS,
  ...MYTHICAL_ANIMALS,
  ...PEOPLE,
  ...OCCUPATIONS,
  ...ATHLETES,
  ...FAIRY_TALE_PEOPLE,
  ...CHRISTMAS,
  ...FESTIVALS,
  ...SPACE,
  ...BOATS,
  ...ROAD_VEHICLES,
  ...AIRCRAFT,
  ...BUILDINGS,
  ...TOWN,
  ...EUROPEAN_LANDMARKS,
  ...WORLD_LANDMARKS,
  ...TREES,
  ...FLOWERS,
  ...NATURE,
  ...MEALS,
  ...SWEETS,
  ...FRUIT,
  ...DRINKS,
  ...FURNITURE,
  ...HOUSEHOLD,
  ...ACCESSORIES,
  ...SYMBOLS,
};

/** Figure painted instead of a kind in a stored scene that this version no longer knows. */
const UNKNOWN_FIGURE: FigureKind = { ...SYMBOLS.star, habitat: { lives: 'land', size: 0.3 } };

/** Returns the record of a kind, or that of an unknown figure. */
export function figureKind(name: string | undefined): FigureKind {
  return (name === undefined ? undefined : FIGURES[name]) ?? UNKNOWN_FIGURE;
}

/** Lists the names of the kinds that have a property. */
export function kindsWith(has: (kind: FigureKind) => boolean): string[] {
  return Object.keys(FIGURES).filter((name) => has(figureKind(name)));
}

/** The kind that small things stand on. */
export const TABLE: string = kindsWith(({ isTable }) => isTable === true)[0] ?? '';
/** The kind that shows a person's face. */
export const PORTRAIT: string = kindsWith(({ isPortrait }) => isPortrait === true)[0] ?? '';

/**
 * Returns the drawing of a figure in its present state: walking, flying, asleep, old, or with the features of a face.
 */
export function drawingOf({
  kind: name,
  action,
  where,
  features = [],
}: Pick<Figure, 'kind' | 'action' | 'where' | 'features'>): Drawing {
  const kind = figureKind(name);
  if (kind.drawingFor !== undefined) return kind.drawingFor(features);
  if (features.includes('old') && kind.aged !== undefined) return kind.aged;
  if (action === 'sleep' && kind.asleep !== undefined) return kind.asleep;
  if (where === 'air' && kind.flying !== undefined) return kind.flying;
  if ((action === 'walk' || action === 'run') && kind.walking !== undefined) return kind.walking;
  return kind.drawing;
}
