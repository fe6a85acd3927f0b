import { lookup } from 'node:dns/promises';
import type { Readable } from 'node:stream';
import { world } from '@darkroom-service/contract';
import { loadJudgedConnect, MAX_HEADER_BYTES, type OutgoingProxies, refusePieces } from '@darkroom-service/media';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { LocalFault } from './local-fault.ts';

export interface Answer {
  readonly status: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, which must be read or destroyed. */
  readonly body: Readable;
  /** The URL that answered, after redirects. */
  readonly url: URL;
  /** The headers of the first answer, before redirects. */
  readonly firstHeaders: Readonly<Record<string, string>>;
  /** Advice for an operator whose account is needed; null: no setting helps. */
  readonly accountAdvice: string | null;
}

/** The operator's account at the hub. */
interface Account {
  /** Token, a secret. Only the base's own origin gets it; null = none is set. */
  readonly token: string | null;
  /** Variable that sets it. */
  readonly variable: string;
}

/** Requests to one hub and to the hosts to which it redirects. */
export interface Transport {
  readonly base: string;
  /** Sends a GET and follows redirects. Any status is an answer. @throws Error if the connection fails. */
  get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** URL `https://…`, without a trailing slash. */
  readonly base: string;
  /**
   * Whether the operator named the base: only then it may be plain HTTP, and its own origin
   * may have a private address.
   */
  readonly isMirror: boolean;
  /** Private address ranges that may be reached. */
  readonly allowedAddresses: readonly string[];
  readonly userAgent: string;
  /** Proxies for hosts without `proxy`. */
  readonly proxies: OutgoingProxies;
  readonly proxy: string | null;
  /** Longest silence of a host, in milliseconds. */
  readonly idleMs: number;
  /** Account at the hub. Absent: the base has no accounts. */
  readonly account?: Account;
  /** Called while a host does not answer, with a sentence for the operator. */
  readonly onWait?: OnWait;
}

export type OnWait = (message: string) => void;

const { createJudgedConnect } = await loadJudgedConnect();

const MAX_REDIRECTS = 5;
const CONNECT_TIMEOUT_MS = 15_000;
const REDIRECTS = [301, 302, 303, 307, 308];
const TELL_AFTER_MS = 1_000;

export function createTransport(options: TransportOptions): Transport {
  const { base, isMirror, allowedAddresses, userAgent, proxies, proxy, idleMs, account, onWait = () => {} } = options;
  const limits = { headersTimeout: idleMs, bodyTimeout: idleMs, maxHeaderSize: MAX_HEADER_BYTES };
  const open = (allowed: readonly string[] | null): Dispatcher =>
    proxy === null
      ? new Agent({
          ...limits,
          connect: createJudgedConnect({
            lookup: (host) => lookup(host, { all: true }),
            allowedAddresses: allowed,
            timeoutMs: CONNECT_TIMEOUT_MS,
            proxies,
          }),
        })
      : new ProxyAgent({ ...limits, uri: proxy });
  const strangers = open(allowedAddresses);
  // A mirror may redirect anywhere, but only its own origin was named by the operator.
  const own = isMirror ? open(null) : strangers;
  const { origin } = new URL(base);
  const plainIsAllowed = isMirror && base.startsWith('http:');
  const accountAdvice = account === undefined ? null : adviceOf(account);
  // A redirect may lead to another host, which must not see the token.
  const credentials = ({ origin: asked }: URL): Record<string, string> =>
    asked === origin && account?.token ? { authorization: `Bearer ${account.token}` } : {};

  return {
    base,
    async get(start, headers, signal) {
      let url = start;
      let firstHeaders: Answer['headers'] | null = null;
      for (let hops = 0; ; hops++) {
        if (url.protocol !== 'https:' && !(plainIsAllowed && url.protocol === 'http:'))
          throw new LocalFault(`${start.host} leads to ${url.protocol}//${url.host}, but only https is used.`);
        const { host } = url;
        const slow = world.setTimeout(() => onWait(`${host} has not answered yet; still waiting.`), TELL_AFTER_MS);
        const {
          statusCode: status,
          headers: raw,
          body,
        } = await request(url, {
          dispatcher: (url.origin === origin ? own : strangers).compose(refusePieces),
          signal,
          headers: { ...headers, ...credentials(url), 'accept-encoding': 'identity', 'user-agent': userAgent },
        }).finally(() => world.clearTimeout(slow));
        body.on('error', () => {});
        const answered = plainHeaders(raw);
        firstHeaders ??= answered;
        const { location } = answered;
        if (!REDIRECTS.includes(status) || location === undefined)
          return { status, headers: answered, body, url, firstHeaders, accountAdvice };
        body.destroy();
        const next = URL.parse(location, url);
        if (next === null || hops >= MAX_REDIRECTS)
          throw new LocalFault(`${url.host} redirects ${next === null ? 'to no address' : 'too often'}.`);
        url = next;
      }
    },
    async close() {
      await Promise.all([own.destroy(), strangers.destroy()]);
    },
  };
}

function adviceOf({ token, variable }: Account): string {
  return token === null
    ? `accept its terms at the hub, then set ${variable} to a token of your account`
    : `the account of ${variable} may not read it: accept its terms at the hub, or check the token`;
}

function plainHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
