/** Mode of a queue. `simulated`: test orders with a simulated outcome, which use no painter. */
type QueueMode = 'live' | 'test' | 'simulated';

/** Returns the engine of a queue. */
export function engineOfQueue(queue: string): string {
  return partsOf(queue).engine;
}

/** Returns the name of a queue, which contains its engine and mode. */
export function partsOf(queue: string): { readonly engine: string; readonly mode: QueueMode } {
  const cut = queue.lastIndexOf(':');
  return { engine: queue.slice(0, cut), mode: queue.slice(cut + 1) as QueueMode };
}

/**
 * Returns the queue of a task. Simulated orders wait without a painter, so they do not take the place of those that
 * paint.
 */
export function queueOf(
  engine: string,
  task: { readonly mode: 'live' | 'test'; readonly simulate: object | null },
): string {
  const mode: QueueMode = task.simulate === null ? task.mode : 'simulated';
  return `${engine}:${mode}`;
}

/** Returns the queue of an engine's live orders. */
export function liveQueueOf(engine: string): string {
  return `${engine}:live`;
}

/** Returns the fair queues of an engine. */
export function queuesOf(engine: string): [live: string, test: string, simulated: string] {
  return [`${engine}:live`, `${engine}:test`, `${engine}:simulated`];
}
