/** Returns the known name that is most similar to a mistyped one; null if none is similar. */
export function nearestName(found: string, known: readonly string[]): string | null {
  if (found.length > LONGEST) return null;
  let nearest: string | null = null;
  let least = Math.max(2, Math.floor(found.length / 4)) + 1;
  for (const name of known) {
    const distance = editDistance(found, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

/**
 * Finds the known name that is nearest to a text, or that contains it as a word: `model` -> `model_id`. A text shorter
 * than three characters has none.
 */
export function suggestName(found: string, known: readonly string[]): string | null {
  if (found.length < 3) return null;
  return nearestName(found, known) ?? known.find((name) => name.split('_').includes(found)) ?? null;
}

/** Returns a sentence that follows a message about an unknown name; empty without a suggestion. */
export function didYouMean(suggestion: string | null): string {
  return suggestion === null ? '' : ` Did you mean '${suggestion}'?`;
}

/** Comparing longer names would take too long. */
const LONGEST = 100;

/** Returns the number of characters to insert, delete or replace (Levenshtein distance). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [position, character] of [...from].entries()) {
    const next = [position + 1];
    for (let index = 1; index <= to.length; index++) {
      const changed = row[index - 1]! + (to[index - 1] === character ? 0 : 1);
      next.push(Math.min(next[index - 1]! + 1, row[index]! + 1, changed));
    }
    row = next;
  }
  return row[to.length]!;
}
