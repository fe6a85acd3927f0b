import { HABITATS, type Habitat } from './habitats.ts';
import type { Place } from './places.ts';
import { createRandom, deriveSeed, type Random } from './random.ts';
import type { Reading, Subject } from './read-prompt.ts';
import type { Figure } from './scene.ts';

const UNKNOWN_HABITAT: Habitat = { lives: 'land', size: 0.3 };

/** Sets the stage: the first subject near the golden section, the others about it; what is many stands staggered in depth. */
export function placeFigures(reading: Reading, place: Place, seed: number): Figure[] {
  if (place.world === 'abstract') return [];
  const random = createRandom(seed, 'figures');
  const side = random.chance(0.5) ? 1 : -1;
  const alone = reading.subjects.length === 1;
  const figures = reading.subjects.flatMap((subject, order) => placeSubject(subject, order, side, alone, place, seed));
  mountRiders(reading, figures);
  figures.splice(MOST_FIGURES);
  holdUmbrellas(figures);
  return figures.sort((a, b) => depthOf(a) - depthOf(b));
}

const MOST_FIGURES = 30;
const HOLDERS = ['person', 'child', 'couple', 'robot', 'astronaut'];

/** Puts the first subject on what it rides or sits on. */
function mountRiders(reading: Reading, figures: Figure[]): void {
  reading.subjects.forEach((mount, order) => {
    const rider = reading.subjects[order - 1];
    if (mount.place !== 'under' || rider === undefined) return;
    const below = figures.find((each) => each.kind === mount.kind);
    const at = figures.findIndex((each) => each.kind === rider.kind);
    if (below === undefined || at < 0 || below.where === 'air') return;
    const above = figures[at] as Figure;
    const size = Math.min(above.size, below.size) * 0.8;
    const y = below.y + 0.004;
    figures[at] = { ...above, x: below.x, y, where: 'ground', flip: below.flip, size, lift: below.size * 0.5 };
  });
}

/** An umbrella beside someone is held by them. */
function holdUmbrellas(figures: Figure[]): void {
  const holder = figures.find((each) => HOLDERS.includes(each.kind) && each.where === 'ground');
  const at = figures.findIndex((each) => each.kind === 'umbrella');
  if (holder === undefined || at < 0) return;
  const umbrella = figures[at] as Figure;
  const reach = holder.size * 0.05;
  figures[at] = {
    ...umbrella,
    x: holder.x + (holder.flip ? -reach : reach),
    y: holder.y + 0.002,
    where: 'ground',
    lift: holder.size * 0.42,
    size: holder.size * 0.85,
  };
}

function placeSubject(
  subject: Subject,
  order: number,
  side: number,
  alone: boolean,
  place: Place,
  seed: number,
): Figure[] {
  const random = createRandom(seed, 'subject', order, subject.kind);
  const habitat = HABITATS[subject.kind] ?? UNKNOWN_HABITAT;
  const airborne = isAirborne(habitat, place, subject);
  const scale = { small: 0.55, normal: 1, large: 1.5 }[subject.size];
  const crowd = 1 / Math.sqrt(1 + (subject.count - 1) * 0.55);
  const home = homeOf(subject, order, side, alone);
  const figures: Figure[] = [];
  for (let each = 0; each < subject.count; each++) {
    const spread = subject.count === 1 ? 0 : (each / (subject.count - 1)) * 2 - 1;
    const reach = Math.min(0.72, 0.22 + subject.count * 0.075);
    const near =
      groundDepth(subject, habitat, place, random) + (subject.count > 1 ? (((each * 0.618) % 1) - 0.5) * 0.34 : 0);
    const depth = Math.max(0.12, Math.min(0.93, near));
    const perspective = airborne ? random.between(0.8, 1.15) : 0.42 + depth * 0.85;
    figures.push({
      kind: subject.kind,
      x: clampX((subject.count === 1 ? home : home * 0.35) + spread * reach + random.between(-0.05, 0.05)),
      y: airborne ? airHeight(habitat, place, subject, random) : depth,
      where: airborne ? 'air' : 'ground',
      size: Math.min(0.85, habitat.size * scale * crowd * perspective * (order > 0 ? 0.85 : 1)),
      flip: subject.count > 1 && habitat.lives !== 'land' ? side < 0 : random.chance(0.5),
      colour: subject.colour,
      seed: deriveSeed(seed, order, each),
    });
  }
  return figures;
}

function isAirborne(habitat: Habitat, place: Place, subject: Subject): boolean {
  if (place.world === 'underwater')
    return habitat.lives === 'under' || habitat.lives === 'air' || habitat.lives === 'water';
  if (place.world === 'space' && place.ground === 'moon' && place.horizon > 1) return true;
  if (place.world === 'room') return subject.kind === 'balloon' || subject.kind === 'butterfly';
  return habitat.lives === 'air' || habitat.lives === 'space';
}

function homeOf(subject: Subject, order: number, side: number, alone: boolean): number {
  if (subject.place === 'left') return -0.5;
  if (subject.place === 'right') return 0.5;
  if (subject.place === 'centre') return 0;
  if (order === 0) return side * (alone ? 0.2 : 0.3);
  return -side * (0.28 + (order - 1) * 0.24) * (order % 2 === 0 ? -1 : 1);
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
