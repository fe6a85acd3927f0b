import type { Checked, Engine, Order } from '@darkroom-service/engines';

/** An engine whose answers a test decides: it takes every order, and `answer` says how each stands. */
export interface ScriptedEngine extends Engine {
  readonly started: Order[];
  readonly checked: string[];
  /** How an order stands from now on; may throw. Until it is set, orders are pending. */
  answer: (order: Order) => Checked | Promise<Checked>;
  /** What a start does beside taking the order; may throw. */
  onStart: (order: Order) => void;
}

/** An answer that ends an order which the upstream took, and which says nothing against the upstream. */
export const MADE_NOTHING: Checked = {
  status: 'failed',
  error: { code: 'content_policy', message: 'it took the order and made nothing of it' },
};

export function createScriptedEngine(
  changes: Partial<Pick<Engine, 'name' | 'concurrency' | 'cancel' | 'jobOf' | 'idempotency' | 'find'>> = {},
): ScriptedEngine {
  const engine: ScriptedEngine = {
    name: 'scripted',
    concurrency: 10,
    started: [],
    checked: [],
    answer: () => ({ status: 'pending', checkAfterMs: 50 }),
    onStart: () => {},
    async start(order) {
      engine.started.push(order);
      engine.onStart(order);
      return { operation: { taskId: order.taskId }, checkAfterMs: 0 };
    },
    async check(_operation, order) {
      engine.checked.push(order.taskId);
      return await engine.answer(order);
    },
    ...changes,
  };
  return engine;
}
