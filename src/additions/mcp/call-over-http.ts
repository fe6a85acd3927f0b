import type { ClientSettings } from '../../service/config/client-settings.ts';
import { type CallApi, Refusal } from './call-api.ts';

/** Calls a running service for the tools of `darkroom mcp`. */
export function callOverHttp({ url, apiKey }: ClientSettings): CallApi {
  return async ({ method, path, body, headers = {}, signal }) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...json, authorization: `Bearer ${apiKey}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, header: (name) => answer.headers.get(name), bytes };
    } catch (error) {
      signal?.throwIfAborted();
      const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
      const isDown = code === 'ECONNREFUSED' || code === 'ENOTFOUND';
      const message = isDown
        ? `Nothing answers at ${url}. Is the service running? If it runs elsewhere, set DARKROOM_URL.`
        : `The connection to ${url} broke before the answer came. Repeat the call with the same arguments: it orders nothing twice.`;
      throw new Refusal({ code: 'unreachable', message, retryable: true }, error);
    }
  };
}
