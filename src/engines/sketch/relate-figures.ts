import { HABITATS, type Seat } from './habitats.ts';
import type { Subject } from './read-prompt.ts';
import type { Figure } from './scene.ts';

const HOLDERS = ['person', 'woman', 'child', 'couple', 'robot', 'astronaut'];
/** Who has legs to sit with. */
const PEOPLE =
  /^(person|woman|child|couple|family|astronaut|robot|knight|samurai|king|queen|wizard|witch|chef|doctor|footballer)$/;
/** By how much taller people are than what else a seat holds. */
const SEATED = 1.7;
/** What people sit on. */
const SITTING = /^(bench|chair|sofa|bicycle|motorcycle|rowboat|horse|unicorn|camel|elephant|fence|wall)$/;
/** Mounts that walk under their riders, whether the prompt says so or not. */
const WALKERS = /^(horse|unicorn|zebra|camel|elephant|deer|cow|lion|tiger|bear|wolf|sheep|pig|giraffe|dog)$/;
const RIDDEN: Seat = { top: 0.5, width: 0.2, holds: 0.8 };
/** Where the crown of the head is, in parts of the height: from the middle towards where it looks, and above the ground. */
const HEADS: Readonly<Record<string, readonly [number, number]>> = {
  cat: [0, 0.8],
  dog: [0.26, 0.76],
  fox: [0.16, 0.76],
  horse: [0.34, 0.9],
  rabbit: [0.1, 0.8],
  bear: [0.3, 0.8],
  penguin: [0.04, 0.94],
  frog: [0, 0.8],
  pumpkin: [0, 0.86],
  monkey: [0, 0.94],
  panda: [0, 0.94],
};
const HEAD: readonly [number, number] = [0, 0.92];

/** Brings together what the prompt relates: riders and mounts, what stands on a thing or below it, who wears a hat or holds an umbrella. Changes the groups of figures, one group for each subject. */
export function relateFigures(subjects: readonly Subject[], groups: Figure[][]): void {
  subjects.forEach((subject, order) => {
    const own = groups[order] ?? [];
    const before = groups[order - 1] ?? [];
    const [first] = own;
    const [other] = before;
    if (first === undefined || other === undefined) return;
    if (subject.kind === 'hat' || subject.relation === 'wearing') putOn(own, before);
    else if (subject.relation === 'held') hold(own, before);
    else if (subject.relation === 'under' || subject.relation === 'on' || subject.relation === 'in')
      seat(before, own, subject.relation === 'under');
    else if (subject.relation === 'over') putUnder(before, own);
    else if (subject.relation === 'back') standBefore(before, own);
    else if (subjects[order - 1]?.place === 'above' && other.where === 'air')
      groups[order - 1] = before.map((each) => ({ ...each, x: first.x + (each.x - other.x) }));
  });
  holdUmbrellas(groups);
}

function seat(riders: Figure[], mounts: Figure[], ridden: boolean): void {
  const [mount] = mounts;
  const place = HABITATS[mount?.kind ?? '']?.seat ?? (ridden ? RIDDEN : undefined);
  if (mount === undefined || place === undefined || mount.where === 'air') return;
  const many = riders.length;
  const sits = PEOPLE.test(riders[0]?.kind ?? '') && (ridden || SITTING.test(mount.kind));
  const holds = place.holds * (sits && !ridden && mount.kind !== 'rowboat' ? SEATED : 1);
  const wanted = (riders[0]?.size ?? 0) / holds;
  const size = Math.min(0.62, Math.max(mount.size, wanted * 0.8));
  const action = riders[0]?.action ?? mount.action ?? (ridden && WALKERS.test(mount.kind) ? 'walk' : undefined);
  const carrier: Figure = { ...mount, size, ...(action === undefined || !(ridden || mount.action) ? {} : { action }) };
  mounts[0] = carrier;
  riders.forEach((rider, index) => {
    riders[index] = {
      ...rider,
      ...carriedBy(carrier),
      ...(sits ? { sits } : {}),
      x: mount.x,
      y: mount.y + 0.002 * (index + 1),
      where: 'ground',
      flip: many === 1 ? mount.flip : rider.flip,
      size: Math.min(rider.size, size * holds) / Math.sqrt(many > 2 ? many / 2 : 1),
      lift: size * place.top,
      shift: ((index + 0.5) / many - 0.5) * place.width * size,
      seed: many === 1 ? mount.seed : rider.seed,
    };
  });
}

/** What is carried goes where its carrier goes, as that goes. */
function carriedBy(carrier: Figure): Pick<Figure, 'carrier' | 'action'> {
  const { kind, size, seed } = carrier.carrier ?? carrier;
  return { carrier: { kind, size, seed }, ...(carrier.action === undefined ? {} : { action: carrier.action }) };
}

/** Under these one stands beside the stem. */
const STEMS = /^(tree|pine|palm|blossom|xmas_tree|mushroom|lantern|sunflower|treehouse)$/;

function putUnder(below: Figure[], above: Figure[]): void {
  const [cover] = above;
  if (cover === undefined || cover.where === 'air') return;
  const tall = STEMS.test(cover.kind);
  const size = Math.max(cover.size, Math.min(0.62, (below[0]?.size ?? 0) * (tall ? 1.5 : 1.35)));
  above[0] = { ...cover, size };
  below.forEach((figure, index) => {
    if (figure.where === 'air') return;
    const shift = (index - (below.length - 1) / 2) * size * 0.3 + (tall ? size * 0.36 : 0);
    below[index] = { ...figure, x: cover.x, y: cover.y + 0.03, shift, size: Math.min(figure.size, size * 0.6) };
  });
}

function standBefore(front: Figure[], back: Figure[]): void {
  const [behind] = back;
  if (behind === undefined || behind.where === 'air') return;
  const y = Math.min(behind.y, 0.36);
  back[0] = { ...behind, y, size: behind.size * 1.35 };
  front.forEach((figure, index) => {
    if (figure.where === 'air') return;
    const shift = (index + 0.5 - front.length / 2) * figure.size + behind.size * 0.5;
    front[index] = { ...figure, x: behind.x, shift, y: Math.min(0.92, Math.max(figure.y, y + 0.26)) };
  });
}

/** Where the eyes are, as in `HEADS`, and how wide the head is. */
const EYES: Readonly<Record<string, readonly [number, number, number]>> = {
  cat: [0, 0.63, 0.42],
  dog: [0.3, 0.67, 0.3],
  fox: [0.24, 0.57, 0.42],
  bear: [0.32, 0.6, 0.36],
  penguin: [0, 0.78, 0.32],
  frog: [0, 0.69, 0.52],
  panda: [0, 0.76, 0.58],
  monkey: [0, 0.74, 0.5],
  rabbit: [0.26, 0.52, 0.36],
  lion: [0.3, 0.62, 0.42],
  tiger: [0.38, 0.66, 0.36],
  owl: [0, 0.67, 0.5],
  pig: [0.32, 0.55, 0.38],
  duck: [0.26, 0.73, 0.3],
  child: [0.04, 0.74, 0.32],
  portrait: [0.015, 0.605, 0.5],
};
const FACE: readonly [number, number, number] = [0.04, 0.85, 0.2];
const IN_HAIR = /^(flower|rose|tulip|sunflower)$/;

/** Hats and crowns sit on the crown of the head, helmets about it, glasses before the eyes, a suit below the chin. */
function putOn(pieces: Figure[], wearers: Figure[]): void {
  pieces.forEach((piece, index) => {
    const wearer = wearers[index % wearers.length];
    if (wearer === undefined) return;
    const [ahead, lift, size] = fitOf(piece.kind, wearer.kind, index - (pieces.length - 1) / 2);
    pieces[index] = {
      ...piece,
      ...carriedBy(wearer),
      x: wearer.x,
      y: wearer.y + 0.002,
      where: wearer.where,
      flip: wearer.flip,
      shift: (wearer.shift ?? 0) + ahead * (wearer.flip ? -1 : 1) * wearer.size,
      lift: (wearer.lift ?? 0) + lift * wearer.size,
      size: wearer.size * size,
    };
  });
}

/** How far ahead and how high a piece is worn, and how large it is, in parts of the wearer's height. */
function fitOf(piece: string, wearer: string, beside: number): readonly [number, number, number] {
  const [crownAhead, top] = HEADS[wearer] ?? HEAD;
  const [ahead, eyes, wide] = EYES[wearer] ?? FACE;
  if (IN_HAIR.test(piece)) return [crownAhead + beside * 0.18, top - 0.08 - Math.abs(beside) * 0.054, 0.24];
  if (piece === 'helmet') return [ahead * 0.8, eyes - wide * 0.8, wide * 1.75];
  if (piece === 'crown') return [crownAhead, top - 0.06, wide * 0.62];
  if (piece === 'sunglasses') return [ahead, eyes - wide * 0.42, wide * 0.9];
  if (piece === 'necktie') return [ahead * 0.5, 0.02, (eyes - wide * 0.45) * 0.96];
  return [crownAhead, top - 0.08, 0.34];
}

/** People hold what is small in their hands, animals have it before them; what is large stands where it is. */
function hold(things: Figure[], holders: Figure[]): void {
  const [holder] = holders;
  if (holder === undefined || holder.where === 'air') return;
  const person = PEOPLE.test(holder.kind);
  const heading = holder.flip ? -1 : 1;
  things.forEach((thing, index) => {
    if ((HABITATS[thing.kind]?.size ?? 1) > LARGEST_HELD) return;
    const [share, reach, height] = person ? (IN_HAND[thing.kind] ?? [0.3, 0.24, 0.36]) : [0.42, 0.62, 0];
    things[index] = {
      ...thing,
      ...carriedBy(holder),
      x: holder.x,
      y: Math.min(0.93, holder.y + 0.002 * (index + 1)),
      where: 'ground',
      shift: (holder.shift ?? 0) + heading * (reach + index * 0.3) * holder.size,
      ...(height > 0 || holder.lift !== undefined ? { lift: (holder.lift ?? 0) + height * holder.size } : {}),
      size: holder.size * share,
    };
  });
}

const LARGEST_HELD = 0.44;
/** How large, how far ahead and how high, in parts of the holder's height. */
const IN_HAND: Readonly<Record<string, readonly [number, number, number]>> = {
  guitar: [0.6, 0.02, 0.18],
  party_balloons: [0.8, 0.3, 0.44],
};

/** An umbrella beside someone is held by them. */
function holdUmbrellas(groups: Figure[][]): void {
  const holder = groups.flat().find((each) => HOLDERS.includes(each.kind) && each.where === 'ground');
  const umbrellas = groups.find((group) => group[0]?.kind === 'umbrella');
  if (holder === undefined || umbrellas?.[0] === undefined) return;
  const reach = holder.size * 0.14;
  umbrellas[0] = {
    ...umbrellas[0],
    ...carriedBy(holder),
    x: holder.x,
    y: holder.y + 0.002,
    where: 'ground',
    shift: (holder.shift ?? 0) + (holder.flip ? -reach : reach),
    lift: holder.size * 0.5,
    size: holder.size * 0.85,
  };
}
