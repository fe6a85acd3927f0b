import { Agent, type Dispatcher, request } from 'undici';
import { createJudgedConnect, type Lookup } from './judged-connect.ts';

interface ConnectionOptions {
  readonly lookup: Lookup;
  readonly allowedAddresses: readonly string[];
  readonly timeoutMs: number;
}

/** Sends single requests over kept connections. */
export interface ConnectionPools {
  /** @param options.trusts sends to any address; otherwise only to public and allowed ones. */
  request(
    url: URL,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & { readonly trusts: boolean },
  ): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Opens separate pools, so that a connection made for a trusted origin never serves a fetch that does not trust it. */
export function openConnectionPools({ allowedAddresses, ...connecting }: ConnectionOptions): ConnectionPools {
  const judged = new Agent({ connect: createJudgedConnect({ ...connecting, allowedAddresses }), allowH2: false });
  const trusted = new Agent({
    connect: createJudgedConnect({ ...connecting, allowedAddresses: null }),
    allowH2: false,
  });
  return {
    request: ({ href }, { trusts, ...options }) => request(href, { ...options, dispatcher: trusts ? trusted : judged }),
    async close() {
      await Promise.all([judged.destroy(), trusted.destroy()]);
    },
  };
}
