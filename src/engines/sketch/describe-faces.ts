import type { Subject } from './read-prompt.ts';

/** Who is meant by a portrait of them. */
const SITTERS = ['person', 'child', 'woman', 'king', 'queen', 'couple'];

/** A word about a face belongs to the last person named before it, or else to the first. A suit is a person's own, and worn by all others. */
export function describeFaces(
  subjects: readonly Subject[],
  features: readonly (readonly [number, string])[],
): Subject[] {
  const described = subjects.filter(({ kind }) => kind !== 'necktie' || !subjects.some((each) => isPerson(each)));
  for (const [at, feature] of features) {
    const before = described.findLastIndex((each, index) => index <= at && isPerson(each));
    const owner = before >= 0 ? before : described.findIndex(isPerson);
    const found = described[owner];
    if (found !== undefined) described[owner] = { ...found, features: [...new Set([...found.features, feature])] };
  }
  return described.map((each, at) =>
    each.kind === 'necktie' || each.kind === 'sunglasses' ? { ...each, relation: at > 0 ? 'wearing' : null } : each,
  );
}

function isPerson({ kind }: Subject): boolean {
  return kind === 'portrait' || SITTERS.includes(kind);
}

/** A portrait of someone is one subject; a portrait of something else is a large picture of that. */
export function sitForPortraits(subjects: readonly Subject[]): Subject[] {
  const at = subjects.findIndex((each) => each.kind === 'portrait');
  if (at < 0) return portrayLone(subjects);
  const portrait = subjects[at] as Subject;
  const sitter = subjects[at + 1];
  if (sitter === undefined) return [...subjects];
  const shown = SITTERS.includes(sitter.kind)
    ? { ...portrait, colour: sitter.colour, features: featuresOf(sitter, portrait) }
    : ({ ...sitter, size: 'large' } as const);
  return [...subjects.slice(0, at), shown, ...subjects.slice(at + 2)];
}

/** Of whom nothing is said but what their face is like, the face is shown. */
function portrayLone(subjects: readonly Subject[]): Subject[] {
  const [only] = subjects;
  const faces = only?.features.filter((each) => FACES.includes(each)) ?? [];
  if (only === undefined || subjects.length > 1 || only.count > 1 || only.action !== null || faces.length === 0)
    return [...subjects];
  return [{ ...only, kind: 'portrait', features: featuresOf(only) }];
}

const FACES = ['beard', 'glasses', 'curly', 'blonde', 'redhead', 'smile', 'freckles', 'suit'];

function featuresOf(sitter: Subject, portrait: Subject = sitter): string[] {
  const own = { person: ['man'], king: ['man', 'crown'], queen: ['crown'] }[sitter.kind] ?? [];
  return [...new Set([...portrait.features, ...sitter.features, ...own])];
}

/** Whose colour is that of their clothes. */
const DRESSED = /^(person|child|woman|portrait|wizard|witch|king|queen|knight|samurai|elf|fairy|superhero|footballer)$/;

export function isDressed({ kind }: Subject): boolean {
  return DRESSED.test(kind);
}
