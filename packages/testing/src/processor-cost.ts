/** Number of copies of the text that make about a megabyte of JSON. */
const COPIES = 15;
const TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => ({ index, name: `number ${index}` })));
/** Megabytes per measurement; enough for a clock with a resolution of four milliseconds. */
const MEGABYTES = 10;
/** Milliseconds for which the JSON's time after one measurement also counts as the time before the next. */
const FRESH_MS = 100;
let last = { jsonMs: 0, at: Number.NEGATIVE_INFINITY };

/** Returns the processor milliseconds that this thread has used. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the processor time that an action takes on this thread, in multiples of the time to parse and write a
 * megabyte of JSON just before or after it, whichever is longer: a slower machine gives the same number.
 */
export async function processorCost(act: () => unknown): Promise<number> {
  const before = performance.now() - last.at < FRESH_MS ? last.jsonMs : jsonMs();
  const begun = processorMs();
  await act();
  const taken = processorMs() - begun;
  const after = jsonMs();
  last = { jsonMs: after, at: performance.now() };
  return taken / Math.max(before, after);
}

/** Returns the processor milliseconds that parsing and writing a megabyte of JSON takes now. */
export function jsonMs(): number {
  const begun = processorMs();
  for (let round = 0; round < MEGABYTES * COPIES; round++) JSON.stringify(JSON.parse(TEXT));
  return (processorMs() - begun) / MEGABYTES;
}
