import { describeFaces, isDressed, sitForPortraits } from './describe-faces.ts';
import { HABITATS } from './habitats.ts';
import type { ActionName } from './scene.ts';
import { LANGUAGES, type Language, LONGEST_PHRASE, type Meaning } from './vocabulary.ts';

export interface Subject {
  readonly kind: string;
  readonly count: number;
  readonly colour: string | null;
  readonly size: 'small' | 'normal' | 'large';
  /** Where it stands in the picture: `left`, `right`, `centre`, `above`, `front`, `behind`, `beside`. */
  readonly place: string | null;
  /** What it does, if the prompt says so. */
  readonly action: ActionName | null;
  /** What it is to the subject named before it, if that: that one rides it (`under`), stands `on` it, is `in` it, has it `over` itself, stands before it (`back`), wears it (`wearing`) or has it at hand (`held`). */
  readonly relation: string | null;
  /** What is said of a face: `beard`, `glasses` and the like. */
  readonly features: readonly string[];
}

/** What was understood of a prompt: JSON throughout. */
export interface Reading {
  readonly subjects: readonly Subject[];
  readonly places: readonly string[];
  readonly times: readonly string[];
  readonly weather: readonly string[];
  readonly seasons: readonly string[];
  readonly styles: readonly string[];
  readonly moods: readonly string[];
  /** Colours that belong to no subject, `#rrggbb`. */
  readonly colours: readonly string[];
  readonly cameras: readonly string[];
  /** `close`, `wide`, `above` or `low`. */
  readonly framings: readonly string[];
  /** Of a plain background, where the prompt names its colour, `#rrggbb`. */
  readonly backdrop: string | null;
  /** What stands in quotation marks. */
  readonly lettering: string | null;
  readonly unknown: readonly string[];
  /** One sentence per thing understood, for people. */
  readonly lines: readonly string[];
}

/** Double marks of any kind, or single ones around whole words: an apostrophe stands within a word, or at one end of it only. */
const QUOTED = /[“"„«]([^”"“»]{1,60})[”"“»]|(?<!\S)[‘']([^‘’']{1,60})[’'](?=[\s.,;:!?]|$)/u;
const MOST_OF_A_KIND = 12;
/** More would not be told apart, and would take for ever to paint. */
const MOST_SUBJECTS = 8;
/** What a prompt may well name twice and mean two; a cup of coffee is one. */
const COUNTED_AGAIN = ['person', 'child', 'woman'];
/** Of which two are meant where several are. */
const PAIRS = ['shoe'];
/** What is worn in one's hair. */
const FLOWERS = /^(flower|rose|tulip|sunflower)$/;
/** Where in the picture; every other relation is one to the subject that follows. */
const OWN_PLACES = ['left', 'right', 'centre', 'behind', 'above', 'front'];

/** Reads a prompt by rules. Never fails: what is not known is listed in `unknown`. */
export function readPrompt(prompt: string): Reading {
  const quoted = QUOTED.exec(prompt);
  const lettering = (quoted?.[1] ?? quoted?.[2])?.trim() ?? null;
  const { text, backdrop } = readBackdrop(prompt.replace(QUOTED, ' ').toLowerCase());
  const tokens = tokenize(text);
  const languages = rankLanguages(tokens);
  const found = findMeanings(tokens, languages);
  const ids = (group: string): string[] => [
    ...new Set(found.meanings.filter((each) => each.group === group).map((each) => each.id)),
  ];
  const { subjects, colours } = joinSubjects(found.meanings, languages[0]?.adjectives ?? 'before');
  const reading = {
    subjects,
    places: backdrop === null ? ids('place') : [...ids('place'), 'plain'],
    times: ids('time'),
    weather: ids('weather'),
    seasons: ids('season'),
    styles: ids('style'),
    moods: ids('mood'),
    colours,
    cameras: ids('camera'),
    framings: ids('framing'),
    backdrop,
    lettering: lettering === '' ? null : lettering,
    unknown: found.unknown,
  };
  return { ...reading, lines: explain(reading) };
}

const BACKDROP = /\b(\p{L}+) (?:studio )?(?:background|backdrop)\b/u;

/** A background of a colour is a backdrop, and colours nothing else. */
function readBackdrop(text: string): { text: string; backdrop: string | null } {
  const found = BACKDROP.exec(text);
  const colour = LANGUAGES[0]?.words.get(found?.[1] ?? '')?.find(({ group }) => group === 'colour');
  if (found === null || colour === undefined) return { text, backdrop: null };
  return { text: text.replace(BACKDROP, ' '), backdrop: colour.id };
}

/** Commas and full stops part phrases; other signs are dropped. */
function tokenize(text: string): string[] {
  return (
    text
      .replaceAll(/['’]s\b/gu, '')
      .replaceAll('-', ' ')
      .match(/[\p{L}\p{N}]+|[.,;:!?]/gu) ?? []
  );
}

/** The language that knows most of the words comes first; the others may still know the rest. */
function rankLanguages(tokens: readonly string[]): Language[] {
  const known = (language: Language): number => tokens.filter((token) => language.words.has(token)).length;
  return LANGUAGES.map((language, order) => ({ language, order, known: known(language) }))
    .sort((a, b) => b.known - a.known || a.order - b.order)
    .map(({ language }) => language);
}

function findMeanings(
  tokens: readonly string[],
  languages: readonly Language[],
): { meanings: Meaning[]; unknown: string[] } {
  const meanings: Meaning[] = [];
  const unknown = new Set<string>();
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as string;
    const match = longestMatch(tokens, at, languages);
    if (match !== null) meanings.push(...match.meanings);
    else if (/^\d{1,2}$/.test(token)) meanings.push({ group: 'number', id: token, plural: false });
    else if (/^[.,;:!?]$/.test(token)) meanings.push({ group: 'stop', id: token, plural: false });
    else unknown.add(token);
    at += match?.length ?? 1;
  }
  return { meanings, unknown: [...unknown] };
}

function longestMatch(
  tokens: readonly string[],
  at: number,
  languages: readonly Language[],
): { meanings: readonly Meaning[]; length: number } | null {
  for (let length = Math.min(LONGEST_PHRASE, tokens.length - at); length > 0; length--) {
    const phrase = tokens.slice(at, at + length).join(' ');
    for (const { words } of languages) {
      const meanings = words.get(phrase);
      if (meanings !== undefined) return { meanings, length };
    }
  }
  return null;
}

/** Numbers, colours and sizes belong to the subject that follows within the phrase; a colour before a place or at the end colours the whole. */
function joinSubjects(
  meanings: readonly Meaning[],
  adjectives: Language['adjectives'],
): { subjects: Subject[]; colours: string[] } {
  const subjects: Subject[] = [];
  const colours: string[] = [];
  let count: number | null = null;
  let colour: string | null = null;
  let size: Subject['size'] = 'normal';
  let relation: string | null = null;
  const release = (): void => {
    if (colour !== null) colours.push(colour);
    count = null;
    colour = null;
    size = 'normal';
    relation = null;
  };
  let previous = '';
  let adjacent = '';
  const features: [number, string][] = [];
  for (const meaning of meanings) {
    const wearer = subjects.at(-1);
    if (meaning.group === 'garment' || (meaning.id === 'tshirt' && wearer !== undefined && isDressed(wearer))) {
      if (wearer === undefined || !isDressed(wearer)) continue;
      subjects[subjects.length - 1] = { ...wearer, colour: colour ?? wearer.colour };
      [count, colour, relation] = [null, null, null];
      size = 'normal';
    } else if (meaning.group === 'number') count = Number(meaning.id);
    else if (meaning.group === 'colour' && adjectives === 'after' && previous === 'subject') {
      subjects[subjects.length - 1] = { ...(subjects.at(-1) as Subject), colour: meaning.id };
    } else if (meaning.group === 'colour') {
      if (colour !== null) colours.push(colour);
      colour = meaning.id;
    } else if (meaning.group === 'size') size = meaning.id as Subject['size'];
    else if (meaning.group === 'relation') relation = applyRelation(subjects, meaning.id, relation);
    else if (meaning.group === 'action' && subjects.length > 0) {
      const last = subjects.at(-1) as Subject;
      const doer =
        subjects.length > 1 && (last.relation !== null || isHeld(last)) ? subjects.length - 2 : subjects.length - 1;
      subjects[doer] = { ...(subjects[doer] as Subject), action: meaning.id as ActionName };
    } else if (meaning.group === 'subject') {
      const many = Math.max(
        1,
        Math.min(MOST_OF_A_KIND, count ?? (meaning.plural ? (PAIRS.includes(meaning.id) ? 2 : 3) : 1)),
      );
      const again = subjects.some((each) => each.kind === meaning.id) && !COUNTED_AGAIN.includes(meaning.id);
      const meant = !again || count !== null || colour !== null;
      if (meant && subjects.length < MOST_SUBJECTS) {
        const placed = relation === 'beside' ? 'beside' : null;
        const ridden = meaning.id === 'skateboard' && adjacent === 'subject' ? 'under' : relation;
        const related = subjects.length === 0 || relation === 'beside' ? null : ridden;
        const own = { place: placed, action: null, relation: related, features: [] };
        const role = adjacent === 'subject' && wearer?.count === 1 && colour === null ? ROLES[meaning.id] : undefined;
        if (role !== undefined && ANIMAL.test(wearer?.kind ?? ''))
          subjects.push({ kind: role, count: 1, colour, size, ...own, relation: 'wearing' });
        else subjects.push({ kind: meaning.id, count: many, colour, size, ...own });
      }
      count = null;
      colour = null;
      size = 'normal';
      relation = null;
    } else if (meaning.group === 'stop' || meaning.group === 'place') release();
    else if (meaning.group === 'weather' || meaning.group === 'time' || meaning.group === 'season') relation = null;
    if (meaning.group === 'feature') features.push([subjects.length - 1, meaning.id]);
    adjacent = meaning.group;
    if (meaning.group !== 'ignored' && meaning.group !== 'feature') previous = meaning.group;
  }
  release();
  return { subjects: sitForPortraits(describeFaces(subjects, features)), colours };
}

/** With such a thing someone else walks. */
function isHeld({ kind }: Subject): boolean {
  return kind === 'umbrella' || kind === 'lantern' || HABITATS[kind]?.lives === 'inside';
}

/** `on the left` places the subject before it; `on`, `under` and the like relate the one that follows to it. A closer relation is not lost to a looser one: a bird sits `on` the back `of` a horse. */
function applyRelation(subjects: Subject[], relation: string, waiting: string | null): string | null {
  const last = subjects.at(-1);
  if (relation === 'wearing' && last?.kind.match(FLOWERS)) {
    subjects[subjects.length - 1] = { ...last, relation };
    return null;
  }
  if (!OWN_PLACES.includes(relation)) return relation === 'in' && waiting === 'on' ? waiting : relation;
  if (last !== undefined && last.place === null) subjects[subjects.length - 1] = { ...last, place: relation };
  return null;
}

/** What an animal wears that is called after someone: a dog astronaut has a helmet on. */
const ROLES: Readonly<Record<string, string>> = {
  astronaut: 'helmet',
  king: 'crown',
  queen: 'crown',
  wizard: 'hat',
  witch: 'hat',
  chef: 'hat',
  santa: 'hat',
};
const ANIMAL =
  /^(fox|cat|dog|horse|deer|rabbit|bear|elephant|sheep|lion|cow|pig|chicken|penguin|frog|owl|duck|wolf|tiger|panda|monkey|squirrel|mouse)$/;

const RELATIONS: Readonly<Record<string, string>> = {
  under: 'ridden by the one before',
  on: 'with the one before on it',
  in: 'with the one before in it',
  over: 'over the one before',
  back: 'behind the one before',
  wearing: 'worn by the one before',
  held: 'held by the one before',
};

function explain(reading: Omit<Reading, 'lines'>): string[] {
  const lines = reading.subjects.map((each) => {
    const extras = [
      each.size === 'normal' ? '' : each.size,
      each.colour === null ? '' : colourName(each.colour),
      each.place ?? '',
      each.action ?? '',
      ...each.features,
      each.relation === null ? '' : (RELATIONS[each.relation] ?? each.relation),
    ].filter(Boolean);
    return `Subject: ${each.count} × ${each.kind}${extras.length > 0 ? ` (${extras.join(', ')})` : ''}.`;
  });
  const lists: [string, readonly string[]][] = [
    ['Place', reading.places],
    ['Time of day', reading.times],
    ['Weather', reading.weather],
    ['Season', reading.seasons],
    ['Style', reading.styles],
    ['Mood', reading.moods],
    ['Colours', reading.colours.map(colourName)],
    ['Camera', reading.cameras],
    ['Framing', reading.framings],
    ['Lettering', reading.lettering === null ? [] : [reading.lettering]],
    ['Not known to this illustrator', reading.unknown],
  ];
  for (const [name, values] of lists)
    if (values.length > 0) lines.push(`${name}: ${values.join(', ').replaceAll('_', ' ')}.`);
  return lines;
}

/** A colour as English calls it. */
function colourName(colour: string): string {
  for (const [word, meanings] of LANGUAGES[0]?.words ?? []) {
    if (meanings.some((each) => each.group === 'colour' && each.id === colour)) return word;
  }
  return colour;
}
