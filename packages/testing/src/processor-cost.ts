/** About a megabyte of JSON is this many copies of the text. */
const COPIES = 15;
const TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => ({ index, name: `number ${index}` })));
/** Long enough for a clock of four milliseconds. */
const MEGABYTES = 10;
/** So long what the JSON took after one measurement is what it takes before the next. */
const FRESH_MS = 100;
let last = { jsonMs: 0, at: Number.NEGATIVE_INFINITY };

/** Processor milliseconds that this thread has taken. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Processor time of this thread that something takes, in multiples of what parsing and writing a megabyte of JSON
 * takes just before or after it, whichever is longer: a machine that is slower gives the same number.
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

/** Processor milliseconds that parsing and writing a megabyte of JSON takes now. */
export function jsonMs(): number {
  const begun = processorMs();
  for (let round = 0; round < MEGABYTES * COPIES; round++) JSON.stringify(JSON.parse(TEXT));
  return (processorMs() - begun) / MEGABYTES;
}
