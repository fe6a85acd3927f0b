/**
 * Returns the number of rounds of a long random test: all of them, or fewer in `npm test`, which sets
 * `DARKROOM_TEST_ROUNDS` to a share from 0 to 1. Files that call it belong to `npm run test:hard` too.
 */
export function rounds(all: number): number {
  return Math.ceil(all * Number(process.env.DARKROOM_TEST_ROUNDS ?? 1));
}
