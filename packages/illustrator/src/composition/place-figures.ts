import { figureKind } from '../figures/figures.ts';
import type { Habitat } from '../model/figure-kind.ts';
import { createRandom, deriveSeed, type Random } from '../model/random.ts';
import type { Figure } from '../model/scene.ts';
import type { Reading, Subject } from '../prompt/reading.ts';
import type { Place } from './place.ts';
import { relateFigures } from './relate-figures.ts';
import { layTable, standInMiddle } from './table-setting.ts';

const MAX_FIGURES = 30;
/** Minimum distance of flying figures from the top if there are letters. */
const BELOW_LETTERS = 0.66;
/** Maximum height of a single subject, which may stand closer to the viewer. */
const TALLEST_ALONE = 0.56;
/** Distance from the wall of a room. */
const AT_WALL = 0.06;
const PORTRAIT_SIZE = 0.78;

/**
 * Places all figures of a picture: the first subject near the golden section, the others about it, several of one kind
 * staggered in depth.
 */
export function placeFigures(reading: Reading, place: Place, seed: number): Figure[] {
  if (place.world === 'abstract') return [];
  const random = createRandom(seed, 'figures');
  const side = random.chance(0.5) ? 1 : -1;
  const subjects =
    place.world === 'room'
      ? reading.subjects.filter(({ kind }) => figureKind(kind).habitat.building !== true)
      : reading.subjects;
  const groups = subjects.map((_, order) =>
    placeSubject(subjects, order, { side, place, seed, lettered: reading.lettering !== null }),
  );
  scaleToFraming(groups, reading.framings);
  if (place.world === 'studio') standInMiddle(subjects, groups, place, reading.lettering !== null);
  relateFigures(subjects, groups);
  if (place.world === 'room') layTable(subjects, groups);
  return [...furnish(subjects, place, seed), ...groups.flat().slice(0, MAX_FIGURES)].sort(
    (a, b) => depthOf(a) - depthOf(b),
  );
}

/** Lists the place's own furniture, without things that the prompt names and without a table if one is laid. */
function furnish(subjects: readonly Subject[], { furniture = [] }: Place, seed: number): Figure[] {
  const named = new Set(subjects.map(({ kind }) => kind));
  const isLaid = subjects.some(({ kind }) => isTable(kind) || figureKind(kind).habitat.tabletop === true);
  return furniture
    .filter(({ kind, lift }) => !named.has(kind) && !(isLaid && (lift !== undefined || isTable(kind))))
    .map((piece, index) => ({
      ...piece,
      where: 'ground',
      flip: false,
      colour: null,
      seed: deriveSeed(seed, 'prop', index),
    }));
}

function isTable(kind: string): boolean {
  return figureKind(kind).isTable === true;
}

/** Makes subjects larger in a close view and smaller in a wide one. */
function scaleToFraming(groups: Figure[][], framings: readonly string[]): void {
  const scale = framings.includes('close') ? 1.8 : framings.includes('wide') ? 0.62 : 1;
  if (scale === 1) return;
  for (const group of groups)
    group.forEach((figure, index) => {
      group[index] = { ...figure, size: Math.min(0.8, figure.size * scale) };
    });
}

function placeSubject(
  subjects: readonly Subject[],
  order: number,
  { side, place, seed, lettered }: { side: number; place: Place; seed: number; lettered: boolean },
): Figure[] {
  const subject = subjects[order] as Subject;
  const random = createRandom(seed, 'subject', order, subject.kind);
  const habitat = figureKind(subject.kind).habitat;
  const airborne = isAirborne(habitat, place, subject);
  const alone = countApart(subjects) === 1;
  const scale = { small: 0.55, normal: 1, large: 1.5 }[subject.size];
  const crowd = 1 / Math.sqrt(1 + (subject.count - 1) * 0.55);
  const nearest = place.world === 'room' ? 1.6 : 1.4;
  const closer = alone && subject.count === 1 ? Math.max(1, Math.min(nearest, TALLEST_ALONE / habitat.size)) : 1;
  const home = homeOf(subjects, order, side);
  if (figureKind(subject.kind).isPortrait === true)
    return [placePortrait(subject, home * (alone ? 0.4 : 1), deriveSeed(seed, order, 0))];
  const figures: Figure[] = [];
  for (let each = 0; each < subject.count; each++) {
    const spread = subject.count === 1 ? 0 : (each / (subject.count - 1)) * 2 - 1;
    const reach = Math.min(0.72, 0.22 + subject.count * 0.075);
    const near =
      groundDepth(subject, habitat, place, random) + (subject.count > 1 ? (((each * 0.618) % 1) - 0.5) * 0.34 : 0);
    const isAtWall = habitat.underWindow === true && place.world === 'room';
    const depth = isAtWall ? AT_WALL : Math.max(0.12, Math.min(0.93, near));
    const perspective = airborne ? random.between(0.9, 1.15) : isAtWall ? 1 : 0.42 + depth * 0.85;
    figures.push({
      kind: subject.kind,
      x: clampX(
        (isAtWall ? home * 0.3 : subject.count === 1 ? home : home * 0.35) +
          spread * reach +
          random.between(-0.05, 0.05),
      ),
      y: airborne ? Math.max(lettered ? BELOW_LETTERS : 0, airHeight(habitat, place, subject, random)) : depth,
      where: airborne ? 'air' : 'ground',
      size: Math.min(0.85, habitat.size * scale * crowd * perspective * closer * (order > 0 ? 0.85 : 1)),
      flip: subject.count > 1 && habitat.lives !== 'land' ? side < 0 : random.chance(0.5),
      colour: subject.colour,
      ...(subject.action === null ? {} : { action: subject.action }),
      ...(subject.features.length === 0 ? {} : { features: subject.features }),
      seed: deriveSeed(seed, order, each),
    });
  }
  return figures;
}

/** Counts the subjects that need a separate place: worn, held and ridden ones need none. */
function countApart(subjects: readonly Subject[]): number {
  return subjects.filter(
    ({ kind, relation }, order) => !isCarried(kind) && (order === 0 || !SHARING_RELATIONS.includes(relation ?? '')),
  ).length;
}

const SHARING_RELATIONS = ['on', 'in', 'under', 'wearing', 'held', 'against'];

function isCarried(kind: string): boolean {
  const { worn, held } = figureKind(kind);
  return (worn !== undefined && worn !== 'hair') || held?.overhead === true;
}

/** Places a portrait, which the lower edge cuts. */
function placePortrait({ kind, colour, features }: Subject, x: number, seed: number): Figure {
  const own = features.length === 0 ? {} : { features };
  return { kind, x, y: 1, lift: 0, where: 'ground', size: PORTRAIT_SIZE, flip: false, colour, ...own, seed };
}

function isAirborne(habitat: Habitat, place: Place, subject: Subject): boolean {
  if (place.world === 'underwater')
    return habitat.lives === 'under' || habitat.lives === 'air' || habitat.lives === 'water';
  if (place.world === 'space' && place.ground === 'moon' && place.horizon > 1) return true;
  if (place.world === 'studio') return false;
  if (place.world === 'room') return habitat.floatsIndoors === true;
  if (subject.place === 'above' && habitat.flies === true) return true;
  return habitat.lives === 'air' || habitat.lives === 'space';
}

function homeOf(subjects: readonly Subject[], order: number, side: number): number {
  const subject = subjects[order] as Subject;
  if (subject.place === 'left') return -0.5;
  if (subject.place === 'right') return 0.5;
  if (subject.place === 'centre') return 0;
  const opposite = subjects.find((each) => each.place === 'left' || each.place === 'right')?.place;
  if (opposite !== undefined) return opposite === 'left' ? 0.46 : -0.46;
  if (order === 0) return side * (countApart(subjects) === 1 ? 0.16 : 0.36);
  return -side * (0.36 + (order - 1) * 0.24) * (order % 2 === 0 ? -1 : 1);
}

/** Returns a figure's depth on the ground: water birds and boats on the water, walking figures on the shore if any. */
function groundDepth(subject: Subject, habitat: Habitat, place: Place, random: Random): number {
  const shift = subject.place === 'behind' ? -0.35 : subject.place === 'front' ? 0.2 : 0;
  if (place.ground === 'water') {
    const afloat = habitat.lives === 'water' || habitat.lives === 'under';
    return (
      (afloat
        ? random.between(0.26, 0.42)
        : place.shore === null
          ? random.between(0.3, 0.42)
          : random.between(0.8, 0.88)) + shift
    );
  }
  return random.between(0.46, 0.62) + shift;
}

function airHeight(habitat: Habitat, place: Place, subject: Subject, random: Random): number {
  if (place.world === 'underwater' || place.horizon > 1)
    return random.between(0.36, 0.74) * (place.horizon > 1 ? 0.72 : 1);
  if (subject.place === 'above') return random.between(0.25, 0.42);
  return random.between(0.3, habitat.size > 0.2 ? 0.52 : 0.66);
}

function clampX(x: number): number {
  return Math.max(-0.86, Math.min(0.86, x));
}

function depthOf(figure: Figure): number {
  return figure.where === 'air' ? -1 + figure.size : figure.y;
}
