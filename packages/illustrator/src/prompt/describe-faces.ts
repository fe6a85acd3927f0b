import { figureKind, PORTRAIT } from '../figures/figures.ts';
import type { Subject } from './reading.ts';

/** Features that are enough to show a person as a portrait. */
const FACIAL_FEATURES = ['beard', 'glasses', 'curly', 'blonde', 'redhead', 'smile', 'freckles', 'suit'];

/**
 * Gives each named feature to a person: the last one named before it, otherwise the first one.
 * The subject before a suit or sunglasses wears them; a suit named with a person is only that person's feature.
 * @param features pairs: the index of the subject named before the feature, then the feature.
 */
export function describeFaces(
  subjects: readonly Subject[],
  features: readonly (readonly [number, string])[],
): Subject[] {
  const described = subjects.filter(
    ({ kind }) => figureKind(kind).worn !== 'chest' || !subjects.some((each) => hasFace(each)),
  );
  for (const [at, feature] of features) {
    const before = described.findLastIndex((each, index) => index <= at && hasFace(each));
    const owner = before >= 0 ? before : described.findIndex(hasFace);
    const found = described[owner];
    if (found !== undefined) described[owner] = { ...found, features: [...new Set([...found.features, feature])] };
  }
  return described.map((each, at) => {
    const { worn } = figureKind(each.kind);
    return worn === 'chest' || worn === 'eyes' ? { ...each, relation: at > 0 ? 'wearing' : null } : each;
  });
}

function hasFace({ kind }: Subject): boolean {
  const { isPortrait, person } = figureKind(kind);
  return isPortrait === true || person?.portrait !== undefined;
}

/** Joins "a portrait of" with the next subject: a person becomes a portrait, anything else a large picture. */
export function joinPortraits(subjects: readonly Subject[]): Subject[] {
  const at = subjects.findIndex((each) => figureKind(each.kind).isPortrait === true);
  if (at < 0) return portrayLonePerson(subjects);
  const portrait = subjects[at] as Subject;
  const sitter = subjects[at + 1];
  if (sitter === undefined) return [...subjects];
  const shown = hasFace(sitter)
    ? { ...portrait, colour: sitter.colour, features: portraitFeatures(sitter, portrait) }
    : ({ ...sitter, size: 'large' } as const);
  return [...subjects.slice(0, at), shown, ...subjects.slice(at + 2)];
}

/** Shows one person as a portrait if the prompt describes nothing but the face. */
function portrayLonePerson(subjects: readonly Subject[]): Subject[] {
  const [only] = subjects;
  const facial = only?.features.filter((each) => FACIAL_FEATURES.includes(each)) ?? [];
  if (only === undefined || subjects.length > 1 || only.count > 1 || only.action !== null || facial.length === 0)
    return [...subjects];
  return [{ ...only, kind: PORTRAIT, features: portraitFeatures(only) }];
}

function portraitFeatures(sitter: Subject, portrait: Subject = sitter): string[] {
  const own = figureKind(sitter.kind).person?.portrait ?? [];
  return [...new Set([...portrait.features, ...sitter.features, ...own])];
}

/** Returns whether the colour of a subject's clothes is the subject's colour. */
export function isDressed({ kind }: Subject): boolean {
  return figureKind(kind).person?.dressed === true;
}
