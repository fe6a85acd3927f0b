import { type CallContext, EngineError } from '../engine.ts';
import type { Upstream } from './upstream-call.ts';

/** Creates a `probe` that makes one free call. @param accept statuses that prove a good key too, such as 404 */
export function createFreeProbe(upstream: Upstream, url: string, accept: readonly number[] = []) {
  return async ({ signal }: CallContext): Promise<{ readonly ok: boolean; readonly message: string }> => {
    try {
      await upstream.call({ url, signal, accept });
      return { ok: true, message: `${upstream.name} accepts the key` };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return { ok: false, message: error.message };
    }
  };
}
