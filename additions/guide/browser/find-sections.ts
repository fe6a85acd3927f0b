import type { Section } from '../src/section.ts';

/** A section that has all words of a search. */
export interface Found {
  readonly section: Section;
  /** The text around the first word, in parts. */
  readonly excerpt: readonly { readonly text: string; readonly isMatch: boolean }[];
}

const MOST_FOUND = 12;
const BEFORE = 60;
const AFTER = 120;
/** How much a word counts, by where it is. */
const WEIGHTS = { wholeHeading: 40, startOfHeading: 20, heading: 10, title: 6, startOfWord: 2, text: 1 };

/** Finds the sections that have all words, in any spelling of case; the best first. */
export function findSections(sections: readonly Section[], query: string): readonly Found[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const scored = sections.map((section) => ({ section, score: scoreOf(section, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
}

/** Returns 0 if a word is missing. */
function scoreOf(section: Section, words: readonly string[]): number {
  const heading = (section.heading || section.title).toLowerCase();
  const title = section.title.toLowerCase();
  const text = section.text.toLowerCase();
  const scores = words.map((word) => {
    const places = [
      [heading === word, WEIGHTS.wholeHeading],
      [startsWord(heading, word), WEIGHTS.startOfHeading],
      [heading.includes(word), WEIGHTS.heading],
      [title.includes(word), WEIGHTS.title],
      [startsWord(text, word), WEIGHTS.startOfWord],
      [text.includes(word), WEIGHTS.text],
    ] as const;
    return places.reduce((sum, [isThere, weight]) => sum + (isThere ? weight : 0), 0);
  });
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  return false;
}

function excerptOf(text: string, words: readonly string[]): Found['excerpt'] {
  const small = text.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const end = Math.min(text.length, first + AFTER);
  const shown = `${begin === 0 ? '' : '… '}${text.slice(begin, end)}${end === text.length ? '' : ' …'}`;
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'i');
  return shown.split(pattern).map((part, index) => ({ text: part, isMatch: index % 2 === 1 }));
}
