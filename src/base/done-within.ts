/** Tells whether the promise resolved in time. */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const outOfTime = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  return await Promise.race([work.then(() => true), outOfTime]).finally(() => clearTimeout(timer));
}
