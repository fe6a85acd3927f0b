import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { EngineErrorClass } from '../engine.ts';
import { objectOf } from '../upstream/json-object.ts';
import type { Standing } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { deliverFilm } from './deliver-film.ts';

/** gRPC codes of a failed operation. */
const CLASS_OF_CODE: Readonly<Record<string, EngineErrorClass>> = {
  '3': 'invalid_input',
  '4': 'timeout',
  '8': 'rate_limited',
  '14': 'busy',
};
/** Not verified against the live service: the wording of a content refusal in a failed operation. */
const UNVERIFIED = { content: /usage guidelines|polic|safety|sensitive|prohibited/i };

/**
 * Reads `{ done, error | response }`: there is no other state and no progress. @param headers for results at Google's
 * own host
 */
export function standingOfOperation(
  api: Upstream,
  body: JsonValue | undefined,
  headers: Readonly<Record<string, string>>,
): Standing {
  const { done, error, response } = objectOf(body);
  if (body === undefined) return { state: 'unknown', word: 'no JSON' };
  if (done !== true)
    return done === undefined || done === false ? { state: 'pending' } : { state: 'unknown', word: String(done) };
  if (error !== undefined) {
    const { code, message } = objectOf(error);
    const reason = typeof message === 'string' && message !== '' ? message : 'the operation failed without a reason';
    const errorClass = UNVERIFIED.content.test(reason) ? 'content_policy' : (CLASS_OF_CODE[String(code)] ?? 'upstream');
    return { state: 'failed', class: errorClass, message: reason };
  }
  const result = { ...objectOf(response), ...objectOf(objectOf(response).generateVideoResponse) };
  const uri = firstUri(result);
  if (uri !== null) return { state: 'succeeded', delivery: deliverFilm(api, uri, headers) };
  const { raiMediaFilteredReasons: reasons, raiMediaFilteredCount: count } = result;
  if ((Array.isArray(reasons) && reasons.length > 0) || Number(count ?? 0) > 0) {
    const words = Array.isArray(reasons) ? reasons.join(' ') : '';
    return {
      state: 'failed',
      class: 'content_policy',
      message: words || 'the film was withheld by the safety filters',
    };
  }
  return { state: 'failed', class: 'upstream', message: 'the result holds no film' };
}

function firstUri({ generatedSamples }: JsonObject): string | null {
  const [sample] = Array.isArray(generatedSamples) ? generatedSamples : [];
  const { uri } = objectOf(objectOf(sample).video);
  return typeof uri === 'string' ? uri : null;
}
