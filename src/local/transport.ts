import { lookup } from 'node:dns/promises';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { createJudgedConnect } from '../net/judged-connect.ts';
import { LocalFault } from './local-fault.ts';

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be read or destroyed. */
  readonly body: Readable;
  /** The URL that answered, after redirects. */
  readonly url: URL;
  /** The headers of the first answer, before redirects. */
  readonly firstHeaders: Readonly<Record<string, string>>;
}

/** Requests to one hub and to the hosts to which it redirects. */
export interface Transport {
  readonly base: string;
  /** Sends a GET and follows redirects. Any status is an answer. @throws Error if the connection fails. */
  get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** `https://…`, without a trailing slash. */
  readonly base: string;
  /** Whether the operator named the base: only then it may be plain HTTP or have a private address. */
  readonly isMirror: boolean;
  /** Private address ranges that may be reached. */
  readonly allowedAddresses: readonly string[];
  readonly proxy: string | null;
  /** The longest silence of a host. */
  readonly idleMs: number;
}

const MAX_REDIRECTS = 5;
const CONNECT_TIMEOUT_MS = 15_000;
const REDIRECTS = [301, 302, 303, 307, 308];

export function createTransport({ base, isMirror, allowedAddresses, proxy, idleMs }: TransportOptions): Transport {
  const times = { headersTimeout: idleMs, bodyTimeout: idleMs };
  const dispatcher: Dispatcher =
    proxy === null
      ? new Agent({
          ...times,
          connect: createJudgedConnect({
            lookup: (host) => lookup(host, { all: true }),
            allowedAddresses: isMirror ? null : allowedAddresses,
            timeoutMs: CONNECT_TIMEOUT_MS,
          }),
        })
      : new ProxyAgent({ ...times, uri: proxy });
  const plainIsAllowed = isMirror && base.startsWith('http:');

  return {
    base,
    async get(start, headers, signal) {
      let url = start;
      let firstHeaders: Answer['headers'] | null = null;
      for (let hops = 0; ; hops++) {
        if (url.protocol !== 'https:' && !(plainIsAllowed && url.protocol === 'http:'))
          throw new LocalFault(`${start.host} leads to ${url.protocol}//${url.host}, but only https is used.`);
        const {
          statusCode: status,
          headers: raw,
          body,
        } = await request(url, {
          dispatcher,
          signal,
          headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'darkroom' },
        });
        body.on('error', () => {});
        const own = plainHeaders(raw);
        firstHeaders ??= own;
        const { location } = own;
        if (!REDIRECTS.includes(status) || location === undefined)
          return { status, headers: own, body, url, firstHeaders };
        body.destroy();
        const next = URL.parse(location, url);
        if (next === null || hops >= MAX_REDIRECTS)
          throw new LocalFault(`${url.host} redirects ${next === null ? 'to no address' : 'too often'}.`);
        url = next;
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function plainHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
