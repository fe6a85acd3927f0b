import type { JsonValue } from '@darkroom-service/contract/json';
import type { EngineErrorClass } from '../engine.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import type { Standing } from '../upstream/submit-poll-engine.ts';
import { UNVERIFIED } from './vertex-api.ts';

/** Codes of gRPC; all others concern the upstream. */
const CLASS_OF_CODE: Readonly<Record<number, EngineErrorClass>> = {
  3: 'invalid_input',
  4: 'timeout',
  7: 'auth',
  8: 'rate_limited',
  14: 'busy',
};

/** Reads the state of a long-running operation. One that ended without a video was filtered. */
export function standingOfVeo(body: JsonValue | undefined): Standing {
  const { done, error, response } = objectOf(body);
  // It is absent until the end.
  if (done === undefined || done === false) return { state: 'pending' };
  if (done !== true) return { state: 'unknown', word: String(done) };
  const { code, message } = objectOf(error);
  if (typeof message === 'string') {
    const isOfContent = UNVERIFIED.content.test(message);
    return {
      state: 'failed',
      class: isOfContent ? 'content_policy' : (CLASS_OF_CODE[Number(code)] ?? 'upstream'),
      message,
    };
  }
  const { videos, raiMediaFilteredReasons: reasons } = objectOf(response);
  const film = Array.isArray(videos) ? objectOf(videos[0]).bytesBase64Encoded : undefined;
  if (typeof film === 'string') return { state: 'succeeded', delivery: deliverBytes([Buffer.from(film, 'base64')]) };
  const why = Array.isArray(reasons) ? reasons.join(' ') : '';
  return {
    state: 'failed',
    class: 'content_policy',
    message: why === '' ? 'it ended without a film: it was filtered' : why,
  };
}
