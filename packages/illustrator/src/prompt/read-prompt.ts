import { explainReading } from './explain-reading.ts';
import { joinSubjects } from './join-subjects.ts';
import type { Reading } from './reading.ts';
import { LANGUAGES, type Language, LONGEST_PHRASE, type Meaning } from './vocabulary.ts';

/**
 * Matches text in double quotation marks, or in single ones around whole words; an apostrophe inside or at one end of a
 * word does not count.
 */
const QUOTED = /[“"„«]([^”"“»]{1,60})[”"“»]|(?<!\S)[‘']([^‘’']{1,60})[’'](?=[\s.,;:!?]|$)/u;

/** Reads a prompt by rules. Never fails: unknown words are listed in `unknown`. */
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
  return { ...reading, lines: explainReading(reading) };
}

const BACKDROP = /\b(\p{L}+) (?:studio )?(?:background|backdrop)\b/u;

/** Removes "on a black background" from the prompt: its colour is only that of the backdrop. */
function readBackdrop(text: string): { text: string; backdrop: string | null } {
  const found = BACKDROP.exec(text);
  const colour = LANGUAGES[0]?.words.get(found?.[1] ?? '')?.find(({ group }) => group === 'colour');
  if (found === null || colour === undefined) return { text, backdrop: null };
  return { text: text.replace(BACKDROP, ' '), backdrop: colour.id };
}

/** Splits a prompt into words and the punctuation that ends phrases; drops other characters. */
function tokenize(text: string): string[] {
  return (
    text
      .replaceAll(/['’]s\b/gu, '')
      .replaceAll('-', ' ')
      .match(/[\p{L}\p{N}]+|[.,;:!?]/gu) ?? []
  );
}

/** Sorts the languages by the number of words they know. Later ones may still know the rest. */
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
