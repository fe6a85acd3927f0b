import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { cutText, type JsonValue } from '@darkroom-service/contract';
import { addressWithoutSecrets, FetchFault, type FetchOptions, type TrustedFetch } from '@darkroom-service/media';
import { type Shape, shapeOf } from './answer-shape.ts';

/** A call to an upstream as the report shows it: without secrets, and with long texts shortened. */
export interface RecordedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body as JSON, or a description of other bodies; null if there was none. */
  readonly body: JsonValue;
  readonly status: number | null;
  /** The shape of the answer; null if it was not JSON. */
  readonly shape: Shape | null;
}

export interface Recorder {
  readonly fetch: TrustedFetch;
  /** Returns the calls since the last time, and removes them. */
  take(): RecordedCall[];
}

const MAX_TEXT = 200;
const MAX_ITEMS = 20;
/** Form of a sign-in's body. A sign-in is no order: it is left out of the report, and a dry run answers it itself. */
const SIGN_IN = /^grant_type=/;
const SIGNED_IN = JSON.stringify({ access_token: 'dry-run', expires_in: 3600 });
const SECRET_HEADER = /^(authorization|x-goog-api-key|x-api-key|api-key|x-key|cookie)$/;

/**
 * Records the calls of engines.
 * @param fetch null = a dry run: every call is recorded and none is made
 */
export function createRecorder(fetch: TrustedFetch | null): Recorder {
  let calls: RecordedCall[] = [];

  async function recorded(url: string, options: FetchOptions) {
    if (typeof options.body === 'string' && SIGN_IN.test(options.body)) {
      if (fetch !== null) return await fetch(url, options);
      return { status: 200, headers: {}, url, body: Readable.from([Buffer.from(SIGNED_IN)]) };
    }
    const call = {
      method: options.method ?? 'GET',
      url: addressWithoutSecrets(url),
      headers: maskedHeaders(options.headers ?? {}),
      body: await describeBody(options),
    };
    if (fetch === null) {
      calls.push({ ...call, status: null, shape: null });
      throw new FetchFault('connect', 'a dry run makes no calls', { sent: 'no' });
    }
    const response = await fetch(url, options).catch((error: unknown) => {
      calls.push({ ...call, status: null, shape: null });
      throw error;
    });
    if (!/json/.test(response.headers['content-type'] ?? '')) {
      calls.push({ ...call, status: response.status, shape: null });
      return response;
    }
    const bytes = await buffer(response.body);
    calls.push({ ...call, status: response.status, shape: shapeIn(bytes) });
    return { ...response, body: Readable.from([bytes]) };
  }

  return {
    fetch: recorded,
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}

function shapeIn(bytes: Buffer): Shape | null {
  try {
    return shapeOf(JSON.parse(bytes.toString('utf8')) as JsonValue);
  } catch {
    return null;
  }
}

async function describeBody({ body, headers = {} }: FetchOptions): Promise<JsonValue> {
  if (body === undefined) return null;
  if (typeof body !== 'string') return `(${headers['content-type'] ?? 'a file or form'})`;
  try {
    return shortened(JSON.parse(body) as JsonValue);
  } catch {
    return shortened(body);
  }
}

/** Shortens texts, such as pictures in base64, and lists. */
function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return value.length <= MAX_TEXT ? value : `${cutText(value, 60)}… (${value.length} characters)`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const scheme = /^(Bearer|Key|Basic|Token) /.exec(value)?.[0] ?? '';
      return [name, SECRET_HEADER.test(name.toLowerCase()) ? `${scheme}[secret]` : value];
    }),
  );
}
