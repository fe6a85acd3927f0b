import { FIGURES } from '../figures/figures.ts';
import german from './words/de.json' with { type: 'json' };
import english from './words/en.json' with { type: 'json' };
import spanish from './words/es.json' with { type: 'json' };
import french from './words/fr.json' with { type: 'json' };

export interface Meaning {
  /**
   * `subject`, `place`, `time`, `weather`, `season`, `colour`, `style`, `mood`, `number`, `size`, `relation`, `camera`,
   * `framing`, `action`, `feature`, `garment` or `ignored`.
   */
  readonly group: string;
  /** The name in scenes: a figure's kind, a place, a colour's `#rrggbb`, a number's digits. */
  readonly id: string;
  readonly plural: boolean;
}

/** The words of one language. */
export interface Language {
  readonly name: string;
  /** Whether a colour precedes or follows the word that it describes. */
  readonly adjectives: 'before' | 'after';
  /**
   * Every known word and phrase, in lower case. A word may have a meaning in several groups: `cyberpunk` is a place and
   * a style.
   */
  readonly words: ReadonlyMap<string, readonly Meaning[]>;
}

interface WordFile {
  readonly language: string;
  readonly adjectives: string;
  /** The ending of regular plurals; empty if the language has none. Irregular plurals follow a slash. */
  readonly plural: string;
  /** Words by group and meaning. The words for figures are in the figures' own records. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly ignored: string;
}

const WORD_FILES = { en: english, de: german, fr: french, es: spanish } as const;

/** The languages that can be read. English is first: it takes precedence if a prompt could be in several. */
export const LANGUAGES: readonly Language[] = (['en', 'de', 'fr', 'es'] as const).map(readLanguage);

/** Number of words in the longest phrase, which the reader has to look ahead. */
export const LONGEST_PHRASE: number = Math.max(
  ...LANGUAGES.flatMap(({ words }) => [...words.keys()].map((phrase) => phrase.split(' ').length)),
);

function readLanguage(code: keyof typeof WORD_FILES): Language {
  const file: WordFile = WORD_FILES[code];
  const words = new Map<string, Meaning[]>();
  for (const [kind, { words: names }] of Object.entries(FIGURES))
    addForms(words, 'subject', kind, names[code] ?? '', file.plural);
  for (const [group, entries] of Object.entries(file.words)) {
    for (const [id, forms] of Object.entries(entries)) addForms(words, group, id, forms, file.plural);
  }
  addForms(words, 'ignored', 'ignored', file.ignored, '');
  return { name: file.language, adjectives: file.adjectives === 'after' ? 'after' : 'before', words };
}

function addForms(words: Map<string, Meaning[]>, group: string, id: string, forms: string, ending: string): void {
  if (forms === '') return;
  for (const form of forms.split(',')) {
    const [singular = '', plural] = form.trim().split('/');
    add(words, singular, { group, id, plural: false });
    if (plural !== undefined) add(words, plural, { group, id, plural: plural !== singular });
    else if (group === 'subject' && ending !== '') add(words, singular + ending, { group, id, plural: true });
  }
}

function add(words: Map<string, Meaning[]>, form: string, meaning: Meaning): void {
  const phrase = form.toLowerCase().replaceAll('-', ' ');
  const meanings = words.get(phrase) ?? [];
  if (!meanings.some((known) => known.group === meaning.group)) meanings.push(meaning);
  words.set(phrase, meanings);
}
