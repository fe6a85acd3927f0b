import { HABITATS, type Habitat } from './habitats.ts';
import type { Place } from './places.ts';
import { createRandom, deriveSeed, type Random } from './random.ts';
import type { Reading, Subject } from './read-prompt.ts';
import { relateFigures } from './relate-figures.ts';
import type { Figure } from './scene.ts';
import { layTable, standInMiddle } from './table-setting.ts';

const UNKNOWN_HABITAT: Habitat = { lives: 'land', size: 0.3 };
const MOST_FIGURES = 30;
/** What stands in no room. */
const BUILT = /^(house|castle|lighthouse|tower|church|windmill|bridge|skyscraper|cafe|townhouses)$/;
/** What flies keeps clear of a banner. */
const UNDER_LETTERS = 0.66;
/** What someone wears or holds takes no place of its own. */
const CARRIED = ['hat', 'umbrella', 'necktie', 'helmet', 'crown', 'sunglasses'];
/** One alone may stand closer to the viewer, up to this height. */
const TALLEST_ALONE = 0.56;

/** Sets the stage: the first subject near the golden section, the others about it; what is many stands staggered in depth. */
export function placeFigures(reading: Reading, place: Place, seed: number): Figure[] {
  if (place.world === 'abstract') return [];
  const random = createRandom(seed, 'figures');
  const side = random.chance(0.5) ? 1 : -1;
  const subjects = place.world === 'room' ? reading.subjects.filter(({ kind }) => !BUILT.test(kind)) : reading.subjects;
  const groups = subjects.map((_, order) =>
    placeSubject(subjects, order, { side, place, seed, lettered: reading.lettering !== null }),
  );
  frameThem(groups, reading.framings);
  if (place.world === 'studio') standInMiddle(subjects, groups, place, reading.lettering !== null);
  relateFigures(subjects, groups);
  if (place.world === 'room') layTable(subjects, groups);
  const named = new Set(subjects.map(({ kind }) => kind));
  const laid = subjects.some(({ kind }) => kind === 'table' || HABITATS[kind]?.tabletop === true);
  const furniture = (place.props ?? []).filter(
    ({ kind, lift }) => !named.has(kind) && !(laid && (lift !== undefined || kind === 'table')),
  );
  const props = furniture.map((prop, index): Figure => {
    const own = { where: 'ground', flip: false, colour: null } as const;
    return { ...prop, ...own, seed: deriveSeed(seed, 'prop', index) };
  });
  return [...props, ...groups.flat().slice(0, MOST_FIGURES)].sort((a, b) => depthOf(a) - depthOf(b));
}

/** A close view shows the subjects large, a wide one small. */
function frameThem(groups: Figure[][], framings: readonly string[]): void {
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
  const habitat = HABITATS[subject.kind] ?? UNKNOWN_HABITAT;
  const airborne = isAirborne(habitat, place, subject);
  const alone = countApart(subjects) === 1;
  const scale = { small: 0.55, normal: 1, large: 1.5 }[subject.size];
  const crowd = 1 / Math.sqrt(1 + (subject.count - 1) * 0.55);
  const nearest = place.world === 'room' ? 1.6 : 1.4;
  const closer = alone && subject.count === 1 ? Math.max(1, Math.min(nearest, TALLEST_ALONE / habitat.size)) : 1;
  const home = homeOf(subjects, order, side);
  if (subject.kind === 'portrait') return [sitFor(subject, home * (alone ? 0.4 : 1), deriveSeed(seed, order, 0))];
  const figures: Figure[] = [];
  for (let each = 0; each < subject.count; each++) {
    const spread = subject.count === 1 ? 0 : (each / (subject.count - 1)) * 2 - 1;
    const reach = Math.min(0.72, 0.22 + subject.count * 0.075);
    const near =
      groundDepth(subject, habitat, place, random) + (subject.count > 1 ? (((each * 0.618) % 1) - 0.5) * 0.34 : 0);
    const depth = Math.max(0.12, Math.min(0.93, near));
    const perspective = airborne ? random.between(0.9, 1.15) : 0.42 + depth * 0.85;
    figures.push({
      kind: subject.kind,
      x: clampX((subject.count === 1 ? home : home * 0.35) + spread * reach + random.between(-0.05, 0.05)),
      y: airborne ? Math.max(lettered ? UNDER_LETTERS : 0, airHeight(habitat, place, subject, random)) : depth,
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

/** How many places are needed: what sits on another, is worn or held takes none of its own. */
function countApart(subjects: readonly Subject[]): number {
  return subjects.filter(
    ({ kind, relation }, order) => !CARRIED.includes(kind) && (order === 0 || !SHARED.includes(relation ?? '')),
  ).length;
}

const SHARED = ['on', 'in', 'under', 'wearing', 'held'];

/** Whom a portrait shows, cut by the lower edge. */
function sitFor({ kind, colour, features }: Subject, x: number, seed: number): Figure {
  const own = features.length === 0 ? {} : { features };
  return { kind, x, y: 1, lift: 0, where: 'ground', size: 0.78, flip: false, colour, ...own, seed };
}

function isAirborne(habitat: Habitat, place: Place, subject: Subject): boolean {
  if (place.world === 'underwater')
    return habitat.lives === 'under' || habitat.lives === 'air' || habitat.lives === 'water';
  if (place.world === 'space' && place.ground === 'moon' && place.horizon > 1) return true;
  if (place.world === 'studio') return false;
  if (place.world === 'room')
    return ['party_balloons', 'butterfly', 'heart', 'star', 'fairy_lights', 'fairy', 'phoenix'].includes(subject.kind);
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

/** Water birds and boats lie out on the water; what walks stands on the bank where there is one. */
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
