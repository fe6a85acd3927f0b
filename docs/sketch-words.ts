import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIGURES, LANGUAGES } from '@darkroom-service/illustrator/prompt';

/** Writes the illustrator's vocabulary into packages/illustrator/prompts.md: `npm run sketch-words`. */
const PAGE = join(import.meta.dirname, '../packages/illustrator/prompts.md');
const ENGLISH = join(import.meta.dirname, '../packages/illustrator/src/prompt/words/en.json');
const SECTION = /(?<=^## Words\n\n).*?(?=\n## )/ms;

/** Forms of words by group and meaning. */
type Groups = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns the vocabulary as the page lists it now. */
export function wordsInPage(): string {
  return SECTION.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
}

/** Returns the vocabulary as the page should list it: the first English word for each meaning, by group. */
export function wordsKnown(): string {
  const figures = Object.entries(FIGURES).flatMap(([kind, { words }]) =>
    words.en === undefined ? [] : [[kind, words.en] as const],
  );
  const english: { readonly words: Groups } = JSON.parse(readFileSync(ENGLISH, 'utf8'));
  const groups: Groups = { subject: Object.fromEntries(figures), ...english.words };
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
