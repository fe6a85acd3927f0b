import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '../src/engines/sketch/vocabulary.ts';
import english from '../src/engines/sketch/words/en.json' with { type: 'json' };

/** Writes the list of what the illustrator knows into docs/sketch.md: `npm run sketch-words`. */
const PAGE = join(import.meta.dirname, 'sketch.md');
const SECTION = /(?<=^## Words\n\n).*?(?=\n## )/ms;

/** What the page says now. */
export function wordsInPage(): string {
  return SECTION.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
}

/** What it should say: each group of the vocabulary with the usual English word for everything in it. */
export function wordsKnown(): string {
  const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = english.words;
  const rows = Object.entries(groups).map(([group, entries]) => {
    const words = Object.values(entries).map((forms) => forms.split(',')[0]?.split('/')[0]?.trim() ?? '');
    return `| ${group} | ${words.length} | ${words.join(', ')} |`;
  });
  const languages = LANGUAGES.map(({ name, words }) => `${name} (${words.size} words and phrases)`).join(', ');
  return `Languages: ${languages}.\n\n| what | | known |\n|---|---|---|\n${rows.join('\n')}\n`;
}

if (import.meta.main)
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(SECTION, () => wordsKnown()),
  );
