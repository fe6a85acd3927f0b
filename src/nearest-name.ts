/** The known name that a mistyped one most likely meant; null when none is near. */
export function nearestName(found: string, known: readonly string[]): string | null {
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

/** How many characters must be put in, taken out or changed (Levenshtein). */
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
