import { lookup as resolveHost } from 'node:dns/promises';
import { Readable } from 'node:stream';
import { loadPart } from '../load-part.ts';
import { isAddressRange, judgeUrl } from './address-rules.ts';
import type { ConnectionPools } from './connection-pools.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { FetchFault } from './fetch-fault.ts';
import { guardBody } from './guarded-body.ts';
import type { Lookup } from './judged-connect.ts';
import type { OutgoingProxies } from './outgoing-proxies.ts';
import { type Pace, type PaceLimits, watchPace } from './pace.ts';
import { encodeBody, type FetchBody, type SentBody } from './request-body.ts';
import { MAX_HEADER_BYTES } from './response-limits.ts';

export interface TrustedFetchOptions {
  /** Private address ranges that may be reached. */
  readonly allowedAddresses: readonly string[];
  /** Resolver. Default: the system's, with all addresses of a name. */
  readonly lookup?: Lookup;
  readonly connectTimeoutMs?: number;
  readonly userAgent?: string;
  /** Outgoing proxies. Default: none. */
  readonly proxies?: OutgoingProxies;
  /** Returns additional headers for a call to the operator's own server. */
  readonly ownServerHeaders?: () => Readonly<Record<string, string>>;
  /** Function called before each request, also of a redirect, and again with the status of its answer. */
  readonly onCall?: (server: CalledServer) => void;
}

/** A called server, without the path, which may be secret. */
export interface CalledServer {
  readonly host: string;
  readonly port: number;
  /** The status of the answer; null = none yet. */
  readonly status: number | null;
}

export interface FetchOptions {
  /** HTTP method. Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: FetchBody;
  readonly signal?: AbortSignal;
  /** The maximum number of bytes of the body, before and after decompression. Reading stops beyond it. */
  readonly maxBytes: number;
  /** Maximum milliseconds from the call to the last byte of the body. */
  readonly timeoutMs: number;
  /** Maximum milliseconds without data within the body. Default: 30 s. */
  readonly idleTimeoutMs?: number;
  /** Minimum speed of the host. Default: only the two times above limit a slow one. */
  readonly pace?: PaceLimits;
  /** Maximum redirects. Default: 0, so that a redirect is returned as the response. */
  readonly maxRedirects?: number;
  /** Configured origins (`http://10.0.0.5:8188`), such as that of an engine, that may be reached at any address. */
  readonly allowOrigins?: readonly string[];
  /** Whether the URL is that of the operator's own server. */
  readonly isOwnServer?: boolean;
  /**
   * Whether this request gets a new connection. For requests that must not be repeated: a host may close a pooled
   * connection at the moment they are sent.
   */
  readonly freshConnection?: boolean;
  /**
   * Whether a body in chunks of a few bytes is read slowly instead of refused. For content that is paid for: an
   * upstream's answers and results.
   */
  readonly joinsPieces?: boolean;
  /** Whether origins in `allowOrigins` are reached without a proxy: servers that this service runs itself. */
  readonly isDirect?: boolean;
}

interface TrustedResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body; must be read or destroyed, whatever the status. Ends with a FetchFault (`too_large`, `pieces`, `timeout`,
   * `protocol`) if it breaks.
   */
  readonly body: Readable;
  /** URL of the last request in the chain. */
  readonly url: string;
}

/** Fetches a URL of an upstream or another trusted server. @throws FetchFault, or the reason of the signal. */
export type TrustedFetch = (url: string, options: FetchOptions) => Promise<TrustedResponse>;

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Creates the only function through which the service makes HTTP requests to addresses it does not control. It reaches
 * public addresses, allowed addresses and origins named by the caller, and checks every redirect. It uses no cookies,
 * and only the configured proxies. A redirect to another origin carries neither body nor credentials.
 */
export function createTrustedFetch(options: TrustedFetchOptions): {
  readonly fetch: TrustedFetch;
  /** Loads the modules that the first request would load. @throws MachineFault */
  load(): Promise<void>;
  close(): Promise<void>;
} {
  const { allowedAddresses, userAgent = 'Darkroom', ownServerHeaders = () => ({}), onCall } = options;
  for (const range of allowedAddresses) {
    if (!isAddressRange(range)) throw new RangeError(`expected an address range such as 10.0.0.0/8, found "${range}"`);
  }
  const connecting = {
    lookup: options.lookup ?? ((host: string) => resolveHost(host, { all: true })),
    allowedAddresses,
    timeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    proxies: options.proxies ?? null,
  };
  // Loaded with the first request: loading the HTTP client would take a tenth of each start.
  let pools: Promise<ConnectionPools> | undefined;
  const openPools = () => {
    pools ??= loadPart(() => import('./connection-pools.ts')).then((part) => part.openConnectionPools(connecting));
    const opened = pools;
    opened.catch(() => (pools = undefined));
    return opened;
  };

  async function send(hop: Hop, call: FetchOptions, deadline: Deadline, pace: Pace): Promise<TrustedResponse> {
    const { url } = hop;
    const { idleTimeoutMs = IDLE_TIMEOUT_MS } = call;
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const called = (status: number | null) => onCall?.({ host: url.hostname, port, status });
    called(null);
    const explain = (error: unknown) => deadline.reason() ?? explainBreak(url, error);
    const { request } = await openPools().catch((cause: unknown) => {
      throw new FetchFault('connect', 'the HTTP client cannot be loaded now', { sent: 'no', cause });
    });
    try {
      const response = await request(url, {
        trusts: call.allowOrigins?.includes(url.origin) === true,
        isDirect: call.isDirect === true,
        isFresh: call.freshConnection === true,
        joinsPieces: call.joinsPieces === true,
        method: hop.method,
        headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...hop.headers },
        body: hop.body,
        signal: deadline.signal,
        // The timeout of the whole call ends a longer pause.
        idleTimeoutMs: idleTimeoutMs < call.timeoutMs ? idleTimeoutMs : 0,
      });
      const { status, headers, body, pieces } = response;
      called(status);
      const guard = { host: url.host, maxBytes: call.maxBytes, headers, explain, onBytes: pace.received, pieces };
      return { status, headers, body: guardBody(body, guard), url: url.href };
    } catch (error) {
      throw explain(error);
    }
  }

  async function follow(first: Hop, call: FetchOptions, deadline: Deadline, pace: Pace): Promise<TrustedResponse> {
    const { maxRedirects = 0 } = call;
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      const response = await send(hop, call, deadline, pace).catch((error) => {
        throw hop === first ? error : brokenRedirect(first, error);
      });
      if (maxRedirects === 0 || !isRedirect(response.status)) return response;
      response.body.destroy();
      if (redirects === maxRedirects) throw badRedirect(first, `redirects more than ${maxRedirects} times`);
      const next = nextHop(hop, response.status, response.headers.location);
      if (typeof next === 'string') throw badRedirect(first, next);
      const verdict = judgeUrl(next.url.href, allowedAddresses, call.allowOrigins);
      if (next.url.username !== '' || next.url.password !== '')
        throw refusedRedirect(first, 'user info', 'a URL with user name and password');
      if (!verdict.ok) throw refusedRedirect(first, verdict.message);
      hop = { ...next, url: verdict.url };
    }
  }

  async function fetch(url: string, call: FetchOptions): Promise<TrustedResponse> {
    call.signal?.throwIfAborted();
    const verdict = judgeUrl(url, allowedAddresses, call.allowOrigins);
    if (!verdict.ok) throw new FetchFault('refused_address', verdict.message, { sent: 'no' });
    const { body, headers } = await encodeBody(call.body);
    const first: Hop = {
      url: verdict.url,
      method: call.method ?? 'GET',
      headers: {
        ...(call.isOwnServer === true ? ownServerHeaders() : {}),
        ...lowerCaseNames(call.headers ?? {}),
        ...headers,
      },
      body,
    };
    const deadline = startDeadline(first.url.host, call.timeoutMs, call.signal);
    const pace = watchPace(first.url.host, call.pace, deadline);
    const clear = () => {
      pace.stop();
      deadline.clear();
    };
    try {
      const response = await follow(first, call, deadline, pace);
      pace.answered();
      if (response.body.closed) clear();
      else response.body.once('close', clear);
      return response;
    } catch (error) {
      clear();
      throw error;
    }
  }

  return {
    fetch,
    load: async () => void (await openPools()),
    async close() {
      await (await pools)?.close();
    },
  };
}

function badRedirect(first: Hop, what: string): FetchFault {
  return new FetchFault('redirects', `${first.url.host} ${what}`, { sent: 'unknown' });
}

function refusedRedirect(
  first: Hop,
  cause: unknown,
  where = 'an address that is not on the public internet',
): FetchFault {
  const message = `${first.url.host} redirects to ${where}`;
  return new FetchFault('refused_address', message, { sent: 'unknown', cause });
}

/** Adjusts an error after a redirect: the first request was sent, and the caller did not write the refused address. */
function brokenRedirect(first: Hop, error: unknown): unknown {
  if (!(error instanceof FetchFault)) return error;
  if (error.kind === 'refused_address') return refusedRedirect(first, error);
  return new FetchFault(error.kind, error.message, { sent: 'unknown', cause: error });
}

function explainBreak(url: URL, error: unknown): Error {
  if (error instanceof FetchFault) return error;
  if (!(error instanceof Error)) return new Error('the fetch failed', { cause: error });
  const code = 'code' in error ? error.code : null;
  // An invalid header or option is a bug in the calling code.
  if (code === 'UND_ERR_INVALID_ARG' || error instanceof TypeError) return error;
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return new FetchFault('timeout', `${url.host} stopped sending data`, { sent: 'unknown', cause: error });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    const message = `${url.host} sent more than ${MAX_HEADER_BYTES / 1024} KB of headers`;
    return new FetchFault('headers', message, { sent: 'unknown', cause: error });
  }
  return new FetchFault('protocol', `${url.host} closed the connection or sent an invalid HTTP response`, {
    sent: 'unknown',
    cause: error,
  });
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A request of a redirect chain. Header names are in lower case. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SentBody | null;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** Headers that are also sent to another origin. An allowlist, because credentials travel under many header names. */
const HARMLESS_HEADERS = ['accept', 'accept-language', 'range', 'user-agent'];

function isRedirect(status: number): boolean {
  return REDIRECTS.includes(status);
}

/**
 * Returns the next request after a redirect, or the reason for not following it. The URL is not checked yet.
 * A body is sent again only to the same origin, and only if it can be read a second time.
 */
function nextHop(hop: Hop, status: number, location: string | undefined): Hop | string {
  const url = location === undefined ? null : URL.parse(location, hop.url);
  if (url === null) return 'sent a redirect without a valid location';
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const sameOrigin = url.origin === hop.url.origin;
  const body = becomesGet ? null : hop.body;
  if (body !== null && (!sameOrigin || body instanceof Readable))
    return 'sent a redirect, but the request body cannot be sent again';
  const kept = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || HARMLESS_HEADERS.includes(name)) && !(hop.body !== body && name.startsWith('content-')),
  );
  return { url, method: becomesGet ? 'GET' : hop.method, headers: Object.fromEntries(kept), body };
}
