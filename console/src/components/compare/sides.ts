/** Names of the compared results, in the order of their choice. */
export const SIDES = ['A', 'B', 'C', 'D'] as const;
/** Maximum number of compared results: more would be too small. */
export const MOST_COMPARED = SIDES.length;
