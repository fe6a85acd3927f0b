import type { Engine } from '@darkroom-service/engines';
import { createSwiftEngine } from './swift-engine.ts';

/** The swift engine, but an order whose prompt begins with `hold` is pending until a test lets it end. */
export interface GatedEngine extends Engine {
  /** Lets the held orders with this prompt succeed from now on. */
  letEnd(prompt: string): void;
  /** The orders that it was given. */
  readonly prompts: string[];
}

export function createGatedEngine(): GatedEngine {
  const swift = createSwiftEngine();
  const ending = new Set<string>();
  const prompts: string[] = [];
  const canceled = new Set<string>();
  return {
    ...swift,
    prompts,
    letEnd: (prompt) => ending.add(prompt),
    async start(order, context) {
      prompts.push(String(order.request.values.prompt));
      return await swift.start(order, context);
    },
    async cancel(_operation, order) {
      canceled.add(order.taskId);
      return true;
    },
    async check(operation, order, context) {
      if (canceled.has(order.taskId)) return { status: 'canceled' };
      const prompt = String(order.request.values.prompt);
      if (prompt.startsWith('hold') && !ending.has(prompt)) return { status: 'pending', checkAfterMs: 20 };
      return await swift.check(operation, order, context);
    },
  };
}
