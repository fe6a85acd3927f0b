/** The names of results that are compared, in the order of their choice. */
export const SIDES = ['A', 'B', 'C', 'D'] as const;
/** More would be too small. */
export const MOST_COMPARED = SIDES.length;
