/**
 * Matches `*` with any characters, `?` with one, and everything else literally. Backtracks only to the last star, so
 * every pattern is fast.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let place = 0;
  let at = 0;
  let star: { readonly place: number; at: number } | null = null;
  while (at < text.length) {
    if (pattern[place] === '*') star = { place: place++, at };
    else if (pattern[place] === '?' || pattern[place] === text[at]) {
      place++;
      at++;
    } else if (star === null) return false;
    else {
      place = star.place + 1;
      at = ++star.at;
    }
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}
