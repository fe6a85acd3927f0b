import german from './words/de.json' with { type: 'json' };
import english from './words/en.json' with { type: 'json' };
import spanish from './words/es.json' with { type: 'json' };
import french from './words/fr.json' with { type: 'json' };

export interface Meaning {
  /** `subject`, `place`, `time`, `weather`, `season`, `colour`, `style`, `mood`, `number`, `size`, `relation`, `camera`, `framing`, `action` or `ignored`. */
  readonly group: string;
  /** What it is called in scenes: a figure's name, a place, a colour's `#rrggbb`, a number's digits. */
  readonly id: string;
  readonly plural: boolean;
}

/** The words of one language. */
export interface Language {
  readonly name: string;
  /** Whether a colour stands before what it colours or after it. */
  readonly adjectives: 'before' | 'after';
  /** Every word and phrase known, in lower case. A word may have a meaning in several groups (`cyberpunk` is a place and a style). */
  readonly words: ReadonlyMap<string, readonly Meaning[]>;
}

interface WordFile {
  readonly language: string;
  readonly adjectives: string;
  /** What makes a plural where none is given behind a stroke; empty where the language has no such rule. */
  readonly plural: string;
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly ignored: string;
}

/** The languages that can be read; English comes first where a prompt could be of several. */
export const LANGUAGES: readonly Language[] = [english, german, french, spanish].map(readLanguage);

/** The words of the longest phrase: how far a reader has to look ahead. */
export const LONGEST_PHRASE: number = Math.max(
  ...LANGUAGES.flatMap(({ words }) => [...words.keys()].map((phrase) => phrase.split(' ').length)),
);

function readLanguage(file: WordFile): Language {
  const words = new Map<string, Meaning[]>();
  for (const [group, entries] of Object.entries(file.words)) {
    for (const [id, forms] of Object.entries(entries)) addForms(words, group, id, forms, file.plural);
  }
  addForms(words, 'ignored', 'ignored', file.ignored, '');
  return { name: file.language, adjectives: file.adjectives === 'after' ? 'after' : 'before', words };
}

function addForms(words: Map<string, Meaning[]>, group: string, id: string, forms: string, ending: string): void {
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
