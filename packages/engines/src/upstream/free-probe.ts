import type { JsonValue } from '@darkroom-service/contract';
import { FetchFault } from '@darkroom-service/media';
import { type CallContext, EngineError } from '../engine.ts';
import type { Probed } from '../probed.ts';
import type { Answer } from './error-map.ts';
import { objectOf } from './json-object.ts';
import type { Upstream } from './upstream-call.ts';

/** Form of the answer to a probe if the upstream accepts the key. */
interface Accepted {
  /** Fields of the answer's JSON object; one of them is enough. */
  readonly has: readonly string[];
  /** Statuses that prove a good key too, such as 404, if their body is a JSON object. */
  readonly orStatus?: readonly number[];
}

/** Creates a `probe` that makes one free call. */
export function createFreeProbe(upstream: Upstream, url: string, accepted: Accepted) {
  return ({ signal }: CallContext): Promise<Probed> =>
    probeBy(async () => {
      assertAccepted(upstream, await upstream.call({ url, signal, accept: accepted.orStatus ?? [] }), accepted);
      return `${upstream.name} accepts the key`;
    });
}

/**
 * Checks the form of an answer: a proxy's page, or a server of another kind, says nothing about the key.
 * @throws EngineError
 */
export function assertAccepted({ name }: Pick<Upstream, 'name'>, { status, body }: Answer, accepted: Accepted): void {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (
    isObject &&
    (accepted.orStatus?.includes(status) || accepted.has.some((field) => objectOf(body)[field] !== undefined))
  )
    return;
  const found = isObject ? 'JSON without it' : describe(body);
  throw new EngineError(
    'upstream',
    `${name} answered a probe of the key with ${found}; expected ${accepted.has.join(' or ')}`,
    {
      took: 'no',
    },
  );
}

/** Runs a probe. @param probe returns the message. @throws any error except `EngineError` */
export async function probeBy(probe: () => Promise<string>): Promise<Probed> {
  try {
    return { ok: true, message: await probe() };
  } catch (error) {
    return failedProbe(error);
  }
}

function describe(body: JsonValue | undefined): string {
  return body === undefined ? 'a text that is no JSON' : 'JSON that is no object';
}

/** Returns the report on a failed probe. @throws any error except EngineError */
export function failedProbe(error: unknown): Probed {
  if (!(error instanceof EngineError)) throw error;
  const { message, cause } = error;
  return {
    ok: false,
    message,
    ...(error.class === 'auth' ? { refusesKey: true } : {}),
    ...(cause instanceof FetchFault ? { cause: causeOf(cause) } : {}),
  };
}

/** Returns the cause of a fetch fault: a code such as `ECONNREFUSED` or of a certificate; the words for a proxy. */
function causeOf({ kind, message, cause }: FetchFault): string {
  if (!(cause instanceof Error)) return message;
  if (kind === 'proxy') return `${message}: ${cause.message}`;
  return 'code' in cause ? `${message} (${String(cause.code)})` : message;
}
