import { type World, world } from './world.ts';

/** Tells whether the promise resolved in time. */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<World['setTimeout']> | undefined;
  const outOfTime = new Promise<false>((resolve) => {
    timer = world.setTimeout(() => resolve(false), ms);
  });
  return await Promise.race([work.then(() => true), outOfTime]).finally(() => world.clearTimeout(timer));
}
