import type { TrustedFetch } from '@darkroom-service/media';

const MOST_BYTES = 1_048_576;
export const TIMEOUT_MS = 10_000;

/**
 * Returns the fetch for the provider. The operator has named the issuer, so it may be at any address; addresses that it
 * names may not be private ones.
 */
export function fetchOver(fetch: TrustedFetch, origin: string) {
  return async (url: string, request: { method?: string; headers?: unknown; body?: unknown; signal?: unknown }) => {
    const { status, headers, body } = await fetch(url, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(new Headers(request.headers as ConstructorParameters<typeof Headers>[0])),
      ...(request.body == null ? {} : { body: String(request.body) }),
      ...(request.signal instanceof AbortSignal ? { signal: request.signal } : {}),
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
      allowOrigins: [origin],
    });
    const bytes = Buffer.concat(await body.toArray());
    return new Response(status === 204 || status === 304 ? null : bytes, { status, headers });
  };
}
