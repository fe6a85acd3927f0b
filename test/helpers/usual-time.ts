import { setTimeout as pause } from 'node:timers/promises';

/** What the work below takes on the machine on which the bounds of tests were measured, with nothing else to do. */
const USUAL_MS = 3;
const LOOKS = 12;
const TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => ({ index, name: `number ${index}` })));

/**
 * Milliseconds that something would take on the machine on which the bounds were measured: less than it took where the
 * machine is slower, or has other things to do, as work that is always the same tells just before and just after.
 */
export async function usualTime(act: () => Promise<unknown>): Promise<number> {
  const before = await slowness();
  const begun = performance.now();
  await act();
  const took = performance.now() - begun;
  return took / Math.max(1, (before + (await slowness())) / 2);
}

/** How many times longer than usual work takes now. */
async function slowness(): Promise<number> {
  let sum = 0;
  for (let look = 0; look < LOOKS; look++) {
    const begun = performance.now();
    for (let round = 0; round < 14; round++) JSON.stringify(JSON.parse(TEXT));
    sum += performance.now() - begun;
    await pause(5);
  }
  return sum / LOOKS / USUAL_MS;
}
