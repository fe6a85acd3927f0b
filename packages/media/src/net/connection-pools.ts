import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { createJudgedConnect, type Lookup } from './judged-connect.ts';
import type { OutgoingProxies } from './outgoing-proxies.ts';
import { type HttpRequest, openOwnConnections } from './own-connections.ts';
import { joinPieces, MAX_HEADER_BYTES, refusePieces } from './response-limits.ts';

interface ConnectionOptions {
  readonly lookup: Lookup;
  readonly allowedAddresses: readonly string[];
  readonly timeoutMs: number;
  readonly proxies: OutgoingProxies | null;
}

interface PooledRequest extends HttpRequest {
  /** Whether any address may be reached; otherwise only public and allowed ones. */
  readonly trusts: boolean;
  /** Whether no proxy is used; only for trusted addresses. */
  readonly isDirect: boolean;
  /** Whether a new connection is opened, and closed after the response. */
  readonly isFresh: boolean;
  /** Whether a body in tiny chunks is read slowly; otherwise it ends with a FetchFault. */
  readonly joinsPieces: boolean;
}

export interface PooledResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  /** Treatment of chunks of a few bytes by `guardBody`; absent = the body has none. */
  readonly pieces?: 'join' | 'refuse';
}

/** Sends single requests over pooled connections, or each over a new one. */
export interface ConnectionPools {
  request(url: URL, request: PooledRequest): Promise<PooledResponse>;
  close(): Promise<void>;
}

/** Opens separate pools, so that a connection made for a trusted origin never serves a fetch that does not trust it. */
export function openConnectionPools({ allowedAddresses, ...connecting }: ConnectionOptions): ConnectionPools {
  const judged = openPool(createJudgedConnect({ ...connecting, allowedAddresses }));
  const trusted = openPool(createJudgedConnect({ ...connecting, allowedAddresses: null }));
  const direct = openPool(createJudgedConnect({ ...connecting, allowedAddresses: null, proxies: null }));
  return {
    async request(url, { trusts, isDirect, isFresh, joinsPieces, ...sent }) {
      const { own, joining, refusing } = !trusts ? judged : isDirect ? direct : trusted;
      if (isFresh) {
        const body = await own.request(url, sent);
        const { statusCode = 0, headersDistinct } = body;
        return {
          status: statusCode,
          headers: joinHeaders(headersDistinct),
          body,
          pieces: joinsPieces ? 'join' : 'refuse',
        };
      }
      const { idleTimeoutMs: bodyTimeout, method, ...options } = sent;
      const { statusCode, headers, body } = await request(url.href, {
        ...options,
        method: method as Dispatcher.HttpMethod,
        dispatcher: joinsPieces ? joining : refusing,
        headersTimeout: 0,
        bodyTimeout,
      });
      return { status: statusCode, headers: joinHeaders(headers), body };
    },
    async close() {
      const pools = [judged, trusted, direct];
      for (const { own } of pools) own.close();
      await Promise.all(pools.map(({ agent }) => agent.destroy()));
    },
  };
}

/** Opens a pool. Pooled and single connections resume the TLS sessions of the connector. */
function openPool(connect: ReturnType<typeof createJudgedConnect>) {
  const agent = new Agent({ connect, allowH2: false, maxHeaderSize: MAX_HEADER_BYTES });
  const own = openOwnConnections(connect);
  return { own, agent, joining: agent.compose(joinPieces), refusing: agent.compose(refusePieces) };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
