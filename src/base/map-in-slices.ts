import { setImmediate as turn } from 'node:timers/promises';

/** The longest time that one slice blocks the event loop, plus one item. */
const SLICE_MS = 2;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Yields to the event loop, and resolves in a turn that no other caller gets. However much long work there is, other
 * requests wait for one slice of it between two turns.
 */
export async function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(() => turn());
  await lastTurn;
}

/**
 * Maps items one by one and yields to the event loop between slices, for lists whose items may take milliseconds each.
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await eachInSlices(items, (item) => results.push(map(item)));
  return results;
}

/** Calls a function on items one by one and yields to the event loop between slices. */
export async function eachInSlices<Item>(items: Iterable<Item>, act: (item: Item) => unknown): Promise<void> {
  let begun = performance.now();
  for (const item of items) {
    act(item);
    if (performance.now() - begun < SLICE_MS) continue;
    await turnOfItsOwn();
    begun = performance.now();
  }
}
