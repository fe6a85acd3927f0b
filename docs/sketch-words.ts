import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIGURES } from '@darkroom-service/illustrator/figures/figures';
import { LANGUAGES } from '@darkroom-service/illustrator/prompt/vocabulary';
import english from '@darkroom-service/illustrator/prompt/words/en.json' with { type: 'json' };

/** Writes the illustrator's vocabulary into packages/illustrator/prompts.md: `npm run sketch-words`. */
const PAGE = join(import.meta.dirname, '../packages/illustrator/prompts.md');
const SECTION = /(?<=^## Words\n\n).*?(?=\n## )/ms;

/** Returns the vocabulary as the page lists it now. */
export function wordsInPage(): string {
  return SECTION.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
}

/** Returns the vocabulary as the page should list it: the first English word for each meaning, by group. */
export function wordsKnown(): string {
  const figures = Object.entries(FIGURES).flatMap(([kind, { words }]) =>
    words.en === undefined ? [] : [[kind, words.en] as const],
  );
  const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    subject: Object.fromEntries(figures),
    ...english.words,
  };
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
