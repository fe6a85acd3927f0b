/** `simulated`: test orders that only pretend, and so take no painter's time. */
export type QueueMode = 'live' | 'test' | 'simulated';

export function engineOfQueue(queue: string): string {
  return partsOf(queue).engine;
}

/** A queue is named after its engine and mode. */
export function partsOf(queue: string): { readonly engine: string; readonly mode: QueueMode } {
  const cut = queue.lastIndexOf(':');
  return { engine: queue.slice(0, cut), mode: queue.slice(cut + 1) as QueueMode };
}

export function liveQueueOf(engine: string): string {
  return `${engine}:live`;
}
