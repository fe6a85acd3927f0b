import { text } from 'node:stream/consumers';
import type { JsonValue } from '../../base/canonical-json.ts';
import { FetchFault, type FetchFaultKind } from '../../net/fetch-fault.ts';
import type { FetchBody } from '../../net/request-body.ts';
import type { TrustedFetch } from '../../net/trusted-fetch.ts';
import { EngineError } from '../engine.ts';
import { type Answer, type Explain, errorFromAnswer } from './error-map.ts';

export interface UpstreamSettings {
  /** As messages call it. */
  readonly name: string;
  /** Its address, which may have a path. Its origin may be reached whatever its address, and alone gets the credentials. */
  readonly baseUrl: string;
  /** Credentials, sent to the configured origin and to `trusts` only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must not turn up in what customers read, such as the key. */
  readonly secrets: readonly string[];
  readonly fetch: TrustedFetch;
  /** What its error answers mean, where the status alone does not tell; null = what the status says. */
  readonly explain: Explain;
  /** Other hosts of the same upstream that get the credentials, such as a regional one that it names for polling. */
  readonly trusts?: (url: URL) => boolean;
  /** Default a minute. A blocking upstream needs what its slowest model takes. */
  readonly timeoutMs?: number | undefined;
  /** Default 16 MB; more where results come inside the answer. */
  readonly maxAnswerBytes?: number;
}

export interface UpstreamRequest {
  /** Default GET. */
  readonly method?: string;
  /** Below the base address, or a complete URL that the upstream gave. */
  readonly url: string;
  readonly json?: JsonValue;
  readonly body?: FetchBody;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Whether the call orders something that is paid: it decides what a failure says about that. */
  readonly orders?: boolean;
  /** An address that was signed for us needs no credentials, and gets none. */
  readonly signed?: boolean;
  /** Statuses besides 2xx that the caller reads itself, where they come in JSON: a page is what stands before the upstream. */
  readonly accept?: readonly number[];
}

export interface Upstream {
  readonly name: string;
  readonly origin: string;
  /** @throws EngineError whose `took` holds: `no` only where certainly nothing was ordered; or the reason of the signal. */
  call(request: UpstreamRequest): Promise<Answer>;
  /** A URL that the upstream gave, or a path below the base address, at the configured address: an override holds for it too. */
  rebase(url: string): string;
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** A blocking upstream is silent while it works. */
const NEVER_IDLE_BEFORE_MS = 60_000;

/** Customers read this: it names no address of the operator's. */
const WHAT_BROKE: Readonly<Record<FetchFaultKind, string>> = {
  refused_address: 'cannot be reached',
  dns: 'cannot be reached',
  connect: 'cannot be reached',
  timeout: 'did not answer in time',
  too_large: 'answered more than can be taken in',
  redirects: 'sent us on to another place',
  protocol: 'broke the connection off',
};

/** Calls to one upstream: JSON in and out, credentials, errors. */
export function createUpstream(settings: UpstreamSettings): Upstream {
  const { name, fetch, headers, secrets, explain, trusts = () => false } = settings;
  const baseUrl = settings.baseUrl.replace(/\/+$/, '');
  const { origin } = new URL(baseUrl);
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;

  async function call(request: UpstreamRequest): Promise<Answer> {
    const { method = 'GET', signal, orders = false, signed = false, accept = [] } = request;
    const url = new URL(/^https?:/.test(request.url) ? request.url : `${baseUrl}${request.url}`);
    const isOurs = url.origin === origin || (url.protocol === 'https:' && trusts(url));
    const answer = await exchange(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(isOurs && !signed ? headers : {}),
        ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...bodyOf(request),
      signal,
      orders,
    });
    const isRead = accept.includes(answer.status) && answer.body !== undefined;
    if ((answer.status >= 200 && answer.status < 300) || isRead) return answer;
    throw errorFromAnswer(answer, { name, explain, secrets, orders });
  }

  async function exchange(
    url: URL,
    options: Pick<UpstreamRequest, 'signal' | 'body'> & {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly orders: boolean;
    },
  ): Promise<Answer> {
    const { orders, ...sent } = options;
    try {
      const response = await fetch(url.href, {
        ...sent,
        maxBytes: settings.maxAnswerBytes ?? MAX_ANSWER_BYTES,
        timeoutMs,
        idleTimeoutMs: Math.max(timeoutMs, NEVER_IDLE_BEFORE_MS),
        allowOrigins: [origin],
      });
      const body = await text(response.body);
      return { status: response.status, headers: response.headers, text: body, body: parse(body) };
    } catch (error) {
      if (!(error instanceof FetchFault)) throw error;
      const took = orders ? (error.sent === 'no' ? 'no' : 'unknown') : 'yes';
      const errorClass = error.kind === 'timeout' ? 'timeout' : 'upstream';
      throw new EngineError(errorClass, `${name} ${WHAT_BROKE[error.kind]}`, { took, cause: error });
    }
  }

  return {
    name,
    origin,
    call,
    rebase(given) {
      if (given.startsWith('/')) return `${baseUrl}${given}`;
      const url = URL.parse(given);
      if (url === null) throw new EngineError('upstream', `${name} gave an address that is none`, { took: 'yes' });
      return url.origin === origin || (url.protocol === 'https:' && trusts(url))
        ? url.href
        : `${baseUrl}${url.pathname}${url.search}`;
    },
  };
}

function bodyOf({ json, body }: UpstreamRequest): { body?: FetchBody } {
  if (json !== undefined) return { body: JSON.stringify(json) };
  return body === undefined ? {} : { body };
}

/** Undefined where it is no JSON. */
function parse(body: string): JsonValue | undefined {
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return undefined;
  }
}
