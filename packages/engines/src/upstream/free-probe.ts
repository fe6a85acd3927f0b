import { FetchFault } from '@darkroom-service/media/net/fetch-fault';
import { type CallContext, EngineError } from '../engine.ts';
import type { Probed } from '../probed.ts';
import type { Upstream } from './upstream-call.ts';

/** Creates a `probe` that makes one free call. @param accept statuses that prove a good key too, such as 404 */
export function createFreeProbe(upstream: Upstream, url: string, accept: readonly number[] = []) {
  return async ({ signal }: CallContext): Promise<Probed> => {
    try {
      await upstream.call({ url, signal, accept });
      return { ok: true, message: `${upstream.name} accepts the key` };
    } catch (error) {
      return failedProbe(error);
    }
  };
}

/** Tells why a probe failed. @throws what is no EngineError */
export function failedProbe(error: unknown): Probed {
  if (!(error instanceof EngineError)) throw error;
  const { message, cause } = error;
  return { ok: false, message, ...(cause instanceof FetchFault ? { cause: causeOf(cause) } : {}) };
}

/** The code tells what the words do not: `ECONNREFUSED`, `ENOTFOUND`, a certificate. */
function causeOf({ message, cause }: FetchFault): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
  return code === null ? message : `${message} (${code})`;
}
