import { figureKind } from '../figures/figures.ts';
import type { ActionName } from '../model/scene.ts';
import { describeFaces, isDressed, joinPortraits } from './describe-faces.ts';
import type { Subject } from './reading.ts';
import type { Language, Meaning } from './vocabulary.ts';

const MAX_COUNT = 12;
/** Maximum number of subjects: more would take very long to paint and could not be distinguished. */
const MAX_SUBJECTS = 8;
const USUAL_PLURAL = 3;
/** Relations for a subject's position in the picture. All others relate it to the next subject. */
const PICTURE_PLACES = ['left', 'right', 'centre', 'behind', 'above', 'front'];

/** Words read since the last subject that describe the next one. */
interface Pending {
  count: number | null;
  colour: string | null;
  size: Subject['size'];
  relation: string | null;
  isOld: boolean;
  isAsleep: boolean;
}

const NOTHING: Pending = { count: null, colour: null, size: 'normal', relation: null, isOld: false, isAsleep: false };

/**
 * Collects the subjects of a prompt. Numbers, sizes and colours belong to the next subject of the same phrase.
 * @returns the subjects, and the colours that belong to none of them: they colour the whole picture.
 */
export function joinSubjects(
  meanings: readonly Meaning[],
  adjectives: Language['adjectives'],
): { subjects: Subject[]; colours: string[] } {
  const subjects: Subject[] = [];
  const colours: string[] = [];
  const features: [number, string][] = [];
  let pending = { ...NOTHING };
  /** Group of the previous word; below, of the last word that is neither ignored nor a feature. */
  let adjacent = '';
  let previous = '';
  for (const [at, meaning] of meanings.entries()) {
    const last = subjects.at(-1);
    if (isClothing(meaning, last)) {
      if (last === undefined || !isDressed(last)) continue;
      subjects[subjects.length - 1] = { ...last, colour: pending.colour ?? last.colour };
      pending = { ...NOTHING };
    } else if (meaning.group === 'number') pending.count = Number(meaning.id);
    else if (meaning.group === 'colour' && adjectives === 'after' && previous === 'subject' && last !== undefined) {
      subjects[subjects.length - 1] = { ...last, colour: meaning.id };
    } else if (meaning.group === 'colour') {
      if (pending.colour !== null) colours.push(pending.colour);
      pending.colour = meaning.id;
    } else if (meaning.group === 'size') pending.size = meaning.id as Subject['size'];
    else if (meaning.group === 'relation') pending.relation = applyRelation(subjects, meaning.id, pending.relation);
    else if (meaning.group === 'age' && adjectives === 'after' && previous === 'subject' && last !== undefined)
      subjects[subjects.length - 1] = withAge(last);
    else if (meaning.group === 'age') pending.isOld = true;
    else if (meaning.id === 'sleep' && adjacent !== 'relation' && meanings[at + 1]?.group === 'subject')
      pending.isAsleep = true;
    else if (meaning.group === 'action' && last !== undefined) giveAction(subjects, meaning.id as ActionName);
    else if (meaning.group === 'subject') {
      addSubject(subjects, meaning, pending, adjacent === 'subject');
      pending = { ...NOTHING };
    } else if (meaning.group === 'stop' || meaning.group === 'place') {
      if (pending.colour !== null) colours.push(pending.colour);
      pending = { ...NOTHING };
    } else if (meaning.group === 'weather' || meaning.group === 'time' || meaning.group === 'season')
      pending.relation = null;
    if (meaning.group === 'feature') features.push([subjects.length - 1, meaning.id]);
    adjacent = meaning.group;
    if (meaning.group !== 'ignored' && meaning.group !== 'feature') previous = meaning.group;
  }
  if (pending.colour !== null) colours.push(pending.colour);
  return { subjects: joinPortraits(describeFaces(subjects, features)), colours };
}

function isClothing({ group, id }: Meaning, wearer: Subject | undefined): boolean {
  if (group === 'garment') return true;
  return group === 'subject' && figureKind(id).isGarment === true && wearer !== undefined && isDressed(wearer);
}

/** Gives an action to the last subject, or to the one before if the last is only held or stands in a relation to it. */
function giveAction(subjects: Subject[], action: ActionName): void {
  const last = subjects.at(-1) as Subject;
  const actor =
    subjects.length > 1 && (last.relation !== null || isHeld(last)) ? subjects.length - 2 : subjects.length - 1;
  subjects[actor] = { ...(subjects[actor] as Subject), action };
}

/** Adds age to a subject that has a face or a drawing for it; an old castle looks like any other. */
function withAge(subject: Subject): Subject {
  const { person, aged, isPortrait } = figureKind(subject.kind);
  if (aged === undefined && person?.portrait === undefined && isPortrait !== true) return subject;
  return { ...subject, features: [...new Set([...subject.features, 'old'])] };
}

function isHeld({ kind }: Subject): boolean {
  const { held, habitat } = figureKind(kind);
  return held?.carried === true || habitat.lives === 'inside';
}

function addSubject(subjects: Subject[], { id, plural }: Meaning, pending: Pending, follows: boolean): void {
  const { count, colour, size, relation, isOld, isAsleep } = pending;
  const named = figureKind(id);
  const last = subjects.at(-1);
  const isRepeated = subjects.some(({ kind }) => kind === id) && named.person?.countedPerMention !== true;
  // "A cup of coffee" names one cup twice; "a red apple and a green apple" are two.
  if ((isRepeated && count === null && colour === null) || subjects.length >= MAX_SUBJECTS) return;
  const meant = count ?? (plural ? (named.pluralCount ?? USUAL_PLURAL) : 1);
  const ridden = named.impliesRider === true && follows ? 'under' : relation;
  const young: Subject = {
    kind: id,
    count: Math.max(1, Math.min(MAX_COUNT, meant)),
    colour,
    size,
    place: relation === 'beside' ? 'beside' : null,
    action: isAsleep ? 'sleep' : null,
    relation: subjects.length === 0 || relation === 'beside' ? null : ridden,
    features: [],
  };
  const subject = isOld ? withAge(young) : young;
  const isCostume = follows && last?.count === 1 && colour === null && figureKind(last.kind).wearsCostumes === true;
  if (isCostume && named.costume !== undefined)
    subjects.push({ ...subject, kind: named.costume, count: 1, relation: 'wearing' });
  else subjects.push(subject);
}

/**
 * Applies a relation and returns the one that waits for the next subject. "On the left" places the previous subject;
 * "on" and "under" wait. A closer relation takes precedence over a looser one: a bird sits "on" the back "of" a horse.
 */
function applyRelation(subjects: Subject[], relation: string, waiting: string | null): string | null {
  const last = subjects.at(-1);
  // "Flowers in her hair": worn by the subject before the flowers.
  if (relation === 'wearing' && last !== undefined && figureKind(last.kind).worn === 'hair') {
    subjects[subjects.length - 1] = { ...last, relation };
    return null;
  }
  if (!PICTURE_PLACES.includes(relation)) return relation === 'in' && waiting === 'on' ? waiting : relation;
  if (last !== undefined && last.place === null) subjects[subjects.length - 1] = { ...last, place: relation };
  return null;
}
