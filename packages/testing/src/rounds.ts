/**
 * Rounds of a random test that takes long: all of them, and in `npm test`, which sets `DARKROOM_TEST_ROUNDS` to a share
 * from 0 to 1, fewer. Files that name it belong to `npm run test:hard` too.
 */
export function rounds(all: number): number {
  return Math.ceil(all * Number(process.env.DARKROOM_TEST_ROUNDS ?? 1));
}
