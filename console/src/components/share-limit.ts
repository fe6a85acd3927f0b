/** The tasks that one link shows at most. */
export const MOST_SHARED = 200;
