import { Type } from 'typebox';

/** Returns the schema of a comma-separated list of these words in a query. Spaces around them do not count. */
export function wordList(words: readonly string[]) {
  const word = `\\s*(${words.join('|')})\\s*`;
  return Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: `^${word}(,${word})*$`,
    description: `one or several of ${words.join(', ')}, comma-separated`,
  });
}

/** Reads what a `wordList` of these words has accepted; each word once. */
export function readWordList<Word extends string>(text: string | undefined): Word[] {
  return text === undefined ? [] : [...new Set(text.split(',').map((word) => word.trim() as Word))];
}
