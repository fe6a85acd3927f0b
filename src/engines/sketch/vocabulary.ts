import german from './words/de.json' with { type: 'json' };
import english from './words/en.json' with { type: 'json' };
import spanish from './words/es.json' with { type: 'json' };
import french from './words/fr.json' with { type: 'json' };

export interface Meaning {
  /** `subject`, `place`, `time`, `weather`, `season`, `colour`, `style`, `mood`, `number`, `size`, `relation`, `camera` or `ignored`. */
  readonly group: string;
  /** What it is called in scenes: a figure's name, a place, a colour's `#rrggbb`, a number's digits. */
  readonly id: string;
  readonly plural: boolean;
}

interface WordFile {
  readonly language: string;
  /** What makes a plural where none is given behind a stroke; empty where the language has no such rule. */
  readonly plural: string;
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly ignored: string;
}

/** Every word and phrase known, in lower case, of all languages; the first language to name a word keeps it. */
export const VOCABULARY: ReadonlyMap<string, readonly Meaning[]> = readFiles([english, german, french, spanish]);

/** The words of the longest phrase: how far a reader has to look ahead. */
export const LONGEST_PHRASE: number = Math.max(...[...VOCABULARY.keys()].map((phrase) => phrase.split(' ').length));

function readFiles(files: readonly WordFile[]): Map<string, Meaning[]> {
  const vocabulary = new Map<string, Meaning[]>();
  for (const file of files) {
    const own = new Map<string, Meaning[]>();
    for (const [group, entries] of Object.entries(file.words)) {
      for (const [id, forms] of Object.entries(entries)) addForms(own, group, id, forms, file.plural);
    }
    addForms(own, 'ignored', 'ignored', file.ignored, '');
    for (const [phrase, meanings] of own) if (!vocabulary.has(phrase)) vocabulary.set(phrase, meanings);
  }
  return vocabulary;
}

function addForms(vocabulary: Map<string, Meaning[]>, group: string, id: string, forms: string, ending: string): void {
  for (const form of forms.split(',')) {
    const [singular = '', plural] = form.trim().split('/');
    add(vocabulary, singular, { group, id, plural: false });
    if (plural !== undefined) add(vocabulary, plural, { group, id, plural: plural !== singular });
    else if (group === 'subject' && ending !== '') add(vocabulary, singular + ending, { group, id, plural: true });
  }
}

/** A word may have a meaning in several groups (`cyberpunk` is a place and a style), but only one in each. */
function add(vocabulary: Map<string, Meaning[]>, form: string, meaning: Meaning): void {
  const phrase = form.toLowerCase().replaceAll('-', ' ');
  const meanings = vocabulary.get(phrase) ?? [];
  if (!meanings.some((known) => known.group === meaning.group)) meanings.push(meaning);
  vocabulary.set(phrase, meanings);
}
