import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { type FetchBody, FetchFault, type FetchFaultKind, type TrustedFetch } from '@darkroom-service/media';
import { EngineError } from '../engine.ts';
import { type Answer, type Explain, errorFromAnswer } from './error-map.ts';
import { textsIn } from './error-words.ts';
import { readAnswer } from './read-answer.ts';
import { hasError, statusIn } from './reasons.ts';
import { readUnmade, type Unmade } from './unmade.ts';

export interface UpstreamSettings {
  /** The upstream's name in messages. */
  readonly name: string;
  /**
   * The upstream's URL, which may have a path. Its origin may be reached at any address, and only it gets the
   * credentials.
   */
  readonly baseUrl: string;
  /** Credentials, sent only to the configured origin and to hosts in `trusts`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must not appear in messages to customers, such as the key. */
  readonly secrets: readonly string[];
  readonly fetch: TrustedFetch;
  /** Explains error responses whose meaning the status alone does not tell; null = the status decides. */
  readonly explain: Explain;
  /**
   * The 5xx after which nothing was made or charged, by the vendor's documents or its own client. They count only with
   * a body in the vendor's form: a page comes from a proxy. Default: none.
   */
  readonly refusals?: readonly number[];
  /** Tells whether another host is the upstream's and gets the credentials, such as a regional one for polling. */
  readonly trusts?: (url: URL) => boolean;
  /** Maximum milliseconds of a call. Default: one minute. A blocking upstream needs as long as its slowest model. */
  readonly timeoutMs?: number | undefined;
  /** Maximum bytes of an answer. Default: 16 MB; more if results are inside the response. */
  readonly maxAnswerBytes?: number;
  /** Whether the server is the operator's own. */
  readonly isOwn?: true;
}

export interface UpstreamRequest {
  /** HTTP method. Default: GET. */
  readonly method?: string;
  /** A path below the base URL, or a complete URL from the upstream. */
  readonly url: string;
  readonly json?: JsonValue;
  readonly body?: FetchBody;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Whether the call places a paid order, which decides the `took` of an error. */
  readonly orders?: boolean;
  /** The order, if the call only refers to it. */
  readonly ordered?: JsonObject;
  /** Whether the URL is presigned: it needs no credentials and gets none. */
  readonly signed?: boolean;
  /**
   * Statuses besides 2xx that the caller handles, if the body is JSON: an HTML page comes from a proxy in front of the
   * upstream.
   */
  readonly accept?: readonly number[];
  /** Whether files in the answer are decoded while it arrives: the caller reads them with `fileIn`. */
  readonly hasFiles?: boolean;
}

export interface Upstream {
  readonly name: string;
  readonly origin: string;
  /** Maximum milliseconds of one call. */
  readonly timeoutMs: number;
  /**
   * Makes a call. @throws EngineError: its `took` is `no` only if certainly nothing was ordered; or the signal's
   * reason.
   */
  call(request: UpstreamRequest): Promise<Answer>;
  /** Reads a successful answer to an order without a result: see `readUnmade`. @throws EngineError */
  unmade(answer: Answer, what: string): Unmade;
  /**
   * Moves a URL from the upstream, or a path below the base URL, to the configured origin, so that an override applies
   * to it too.
   */
  rebase(url: string): string;
}

/** Default maximum of one call, in milliseconds. */
export const CALL_TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Maximum values in an answer. The longest known list of a vendor's models has less than half as many. */
const MOST_VALUES = 100_000;
/** The same for an own server: a list of nodes, each with every loadable file, has hundreds of thousands. */
const MOST_VALUES_OF_OWN = 1_000_000;
/** Minimum idle timeout in milliseconds: a blocking upstream is silent while it works. */
const NEVER_IDLE_BEFORE_MS = 60_000;

/** Texts shown to customers, so they name no address of the operator. */
const FAULT_TEXTS: Readonly<Record<FetchFaultKind, string>> = {
  refused_address: 'cannot be reached',
  dns: 'cannot be reached',
  connect: 'cannot be reached',
  proxy: 'cannot be reached',
  timeout: 'did not answer in time',
  too_large: 'sent a response that is too large',
  headers: 'sent a response with headers that are too large',
  pieces: 'sent a response in pieces that are too small',
  redirects: 'redirected the request to another address',
  encoding: 'sent a response that cannot be decoded',
  protocol: 'closed the connection unexpectedly',
};

/** Creates calls to one upstream: JSON in and out, credentials, errors. */
export function createUpstream(settings: UpstreamSettings): Upstream {
  const { name, fetch, headers, secrets, explain, refusals = [], trusts = () => false } = settings;
  const context = { name, explain, secrets, refusals };
  const baseUrl = settings.baseUrl.replace(/\/+$/, '');
  const { origin } = new URL(baseUrl);
  const timeoutMs = settings.timeoutMs ?? CALL_TIMEOUT_MS;

  async function call(request: UpstreamRequest): Promise<Answer> {
    const { method = 'GET', signal, orders = false, signed = false, accept = [], hasFiles = false } = request;
    const url = new URL(/^https?:/i.test(request.url) ? request.url : `${baseUrl}${request.url}`);
    const isOurs = url.origin === origin || (url.protocol === 'https:' && trusts(url));
    const exchanged = await exchange(url, {
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
      hasFiles,
    });
    const { json, body } = request;
    const ordered = () => textsIn(request.ordered ?? json ?? (body instanceof FormData ? body : undefined));
    const answer = orders ? { ...exchanged, ordered } : exchanged;
    const isRead = accept.includes(answer.status) && answer.body !== undefined;
    if (!orders && isFailedRead(answer)) {
      throw errorFromAnswer({ ...answer, status: statusIn(answer.body) ?? 500 }, { ...context, orders });
    }
    if ((answer.status >= 200 && answer.status < 300) || isRead) return answer;
    throw errorFromAnswer(answer, { ...context, orders });
  }

  async function exchange(
    url: URL,
    options: Pick<UpstreamRequest, 'signal' | 'body'> & {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly orders: boolean;
      readonly hasFiles: boolean;
    },
  ): Promise<Answer> {
    const { orders, hasFiles, ...sent } = options;
    try {
      const response = await fetch(url.href, {
        ...sent,
        maxBytes: settings.maxAnswerBytes ?? MAX_ANSWER_BYTES,
        timeoutMs,
        idleTimeoutMs: Math.max(timeoutMs, NEVER_IDLE_BEFORE_MS),
        allowOrigins: [origin],
        // A kept connection may close at the moment an order is sent; nobody knows then whether it was read.
        freshConnection: orders,
        joinsPieces: true,
        isOwnServer: settings.isOwn === true && url.origin === origin,
      });
      const { status, headers } = response;
      const expectedBytes = Number(headers['content-length']) || 0;
      const mostValues = settings.isOwn === true ? MOST_VALUES_OF_OWN : MOST_VALUES;
      return { status, headers, ...(await readAnswer(response.body, { hasFiles, expectedBytes, mostValues })) };
    } catch (error) {
      if (!(error instanceof FetchFault)) throw error;
      const took = orders ? (error.sent === 'no' ? 'no' : 'unknown') : 'yes';
      const errorClass = error.kind === 'timeout' ? 'timeout' : 'upstream';
      throw new EngineError(errorClass, `${name} ${FAULT_TEXTS[error.kind]}`, { took, cause: error });
    }
  }

  return {
    name,
    origin,
    timeoutMs,
    call,
    unmade: (answer, what) => readUnmade(answer, context, what),
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

/** Fields of an error that concerns the call itself, not the order. */
const OF_ERRORS = ['error', 'errors', 'message', 'code', 'type', 'detail', 'request_id', 'requestId'];

/** Tells whether a successful answer to a question is only an error: the question has failed, not the order. */
function isFailedRead({ status, body }: Answer): boolean {
  if (status < 200 || status >= 300 || !hasError(body)) return false;
  return Object.keys(body as object).every((field) => OF_ERRORS.includes(field));
}
