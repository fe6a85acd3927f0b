import { sleep, world } from '@darkroom-service/contract';

/** The longest time that one slice blocks the event loop, plus one item. */
const SLICE_MS = 2;
/** Pause after a slice, in milliseconds. Another request needs several, one for each answer of the database. */
const REST_MS = 1;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Yields to the event loop briefly, and resolves in a turn that no other caller shares. However much long work is
 * pending, other requests wait for one slice of it and then have the event loop to themselves.
 */
export async function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(() => sleep(REST_MS));
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
  let begun = world.monotonic();
  for (const item of items) {
    act(item);
    if (world.monotonic() - begun < SLICE_MS) continue;
    await turnOfItsOwn();
    begun = world.monotonic();
  }
}

/** Passes items on as they come and yields to the event loop between slices of the work on them. */
export async function* inSlices<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let begun = world.monotonic();
  for await (const item of items) {
    yield item;
    if (world.monotonic() - begun < SLICE_MS) continue;
    await turnOfItsOwn();
    begun = world.monotonic();
  }
}
