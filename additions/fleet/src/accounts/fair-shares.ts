/**
 * Divides a whole by max-min fairness: nobody gets less than another that wants as much. Everybody gets at least 1 if
 * there is enough; else those that want something take turns.
 * @param turn number of the turn; counts only if there is less than 1 for each
 */
export function fairShares(whole: number, wanted: readonly number[], turn: number): number[] {
  const count = wanted.length;
  const isScarce = whole < count;
  const wishes = wanted.map((want, place) => ({
    place,
    want: isScarce ? Math.min(1, want) : Math.max(1, want),
    rank: isScarce ? (place + turn) % count : place,
  }));
  wishes.sort((one, other) => one.want - other.want || one.rank - other.rank);
  const shares = wanted.map(() => 0);
  let left = whole;
  for (const [index, { place, want }] of wishes.entries()) {
    const share = Math.min(want, Math.floor(left / (count - index)));
    shares[place] = share;
    left -= share;
  }
  return shares;
}

/** Divides a whole in proportion to weights, rounded down. Everybody gets at least 1 if there is enough. */
export function proportionalShares(whole: number, weights: readonly number[], turn: number): number[] {
  const spare = whole - weights.length;
  if (spare < 0) return fairShares(whole, weights, turn);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => 1 + (sum === 0 ? 0 : Math.floor((spare * weight) / sum)));
}
