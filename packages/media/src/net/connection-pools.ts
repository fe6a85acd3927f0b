import { Agent, type Dispatcher, request } from 'undici';
import { createJudgedConnect, type Lookup } from './judged-connect.ts';
import type { OutgoingProxies } from './outgoing-proxies.ts';
import { joinPieces, MAX_HEADER_BYTES, refusePieces } from './response-limits.ts';

interface ConnectionOptions {
  readonly lookup: Lookup;
  readonly allowedAddresses: readonly string[];
  readonly timeoutMs: number;
  readonly proxies: OutgoingProxies | null;
}

/** Sends single requests over kept connections. */
export interface ConnectionPools {
  /**
   * @param options.trusts sends to any address; otherwise only to public and allowed ones.
   * @param options.isDirect uses no proxy. Only for addresses that are trusted.
   * @param options.isFresh opens a connection, and closes it after the response.
   * @param options.joinsPieces reads a body in tiny pieces slowly; otherwise it ends with a FetchFault.
   */
  request(
    url: URL,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & {
      readonly trusts: boolean;
      readonly isDirect: boolean;
      readonly isFresh: boolean;
      readonly joinsPieces: boolean;
    },
  ): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Opens separate pools, so that a connection made for a trusted origin never serves a fetch that does not trust it. */
export function openConnectionPools({ allowedAddresses, ...connecting }: ConnectionOptions): ConnectionPools {
  const judged = openPair(createJudgedConnect({ ...connecting, allowedAddresses }));
  const trusted = openPair(createJudgedConnect({ ...connecting, allowedAddresses: null }));
  const direct = openPair(createJudgedConnect({ ...connecting, allowedAddresses: null, proxies: null }));
  return {
    request({ href }, { trusts, isDirect, isFresh, joinsPieces, ...options }) {
      const pair = !trusts ? judged : isDirect ? direct : trusted;
      const { joining, refusing } = pair[isFresh ? 'fresh' : 'kept'];
      const dispatcher = joinsPieces ? joining : refusing;
      return request(href, { ...options, dispatcher, ...(isFresh && { reset: true }) });
    },
    async close() {
      await Promise.all(
        [judged, trusted, direct].flatMap(({ kept, fresh }) => [kept.agent.destroy(), fresh.agent.destroy()]),
      );
    },
  };
}

/** The connections of an agent, by what becomes of an answer in tiny pieces. */
interface Connections {
  readonly agent: Agent;
  readonly joining: Dispatcher;
  readonly refusing: Dispatcher;
}

/** `fresh` is only for requests that close their connection. Both resume the TLS sessions of the connector. */
function openPair(connect: ReturnType<typeof createJudgedConnect>): Record<'kept' | 'fresh', Connections> {
  const open = () => {
    const agent = new Agent({ connect, allowH2: false, maxHeaderSize: MAX_HEADER_BYTES });
    return { agent, joining: agent.compose(joinPieces), refusing: agent.compose(refusePieces) };
  };
  return { kept: open(), fresh: open() };
}
