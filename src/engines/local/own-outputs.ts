import { buffer } from 'node:stream/consumers';
import type { TrustedFetch } from '../../net/trusted-fetch.ts';
import type { DeliveredOutput, Delivery } from '../engine.ts';

const LIMITS = { maxBytes: 1024 * 1024 * 1024, timeoutMs: 10 * 60_000 };

/**
 * Downloads the outputs that lie on a server of this machine, which may end as soon as its next order does not need it.
 * @throws Error if one cannot be downloaded
 */
export async function downloadOwnOutputs(
  delivery: Delivery,
  server: string,
  { fetch, signal }: { readonly fetch: TrustedFetch; readonly signal: AbortSignal },
): Promise<Delivery> {
  const outputs: DeliveredOutput[] = [];
  for (const output of delivery.outputs) {
    const { source } = output;
    if (!('url' in source) || new URL(source.url).origin !== server) {
      outputs.push(output);
      continue;
    }
    const response = await fetch(source.url, {
      ...LIMITS,
      allowOrigins: [server],
      headers: source.headers ?? {},
      signal,
    });
    if (response.status !== 200) {
      response.body.destroy();
      throw new Error(`the address of its output answered ${response.status}`);
    }
    outputs.push({ ...output, source: { data: await buffer(response.body) } });
  }
  return { ...delivery, outputs };
}
