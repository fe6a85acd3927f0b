import type { JsonObject } from '@darkroom-service/contract/json';
import { EngineError, type EngineErrorClass } from '../engine.ts';
import type { Generated } from '../upstream/blocking-engine.ts';
import type { Answer } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, deliverBytes } from '../upstream/output-list.ts';
import { fileIn } from '../upstream/read-files.ts';
import type { Upstream } from '../upstream/upstream-call.ts';

/**
 * Reads `{ data: [{ b64_json | url, revised_prompt? }] }`, the response of OpenAI and of all who copy its images API.
 * Two of them report refusals in it with a success status: `respect_moderation: false` (xAI) and an `error` in place of
 * the picture (ByteDance).
 * @throws EngineError with `took: 'unknown'` if the response has another shape.
 */
export function readImages(
  upstream: Upstream,
  answer: Answer,
  classOfCode: (code: string) => EngineErrorClass = () => 'upstream',
): Generated {
  const { data } = objectOf(answer.body);
  const [first] = Array.isArray(data) ? data : [];
  const picture: JsonObject = objectOf(first);
  const { b64_json: base64, url, revised_prompt: revised, respect_moderation: respected } = picture;
  if (respected === false) {
    return { refused: { class: 'content_policy', message: 'the result was withheld by the moderation' } };
  }
  const facts = { revisedPrompt: typeof revised === 'string' && revised !== '' ? revised : null };
  if (typeof base64 === 'string' && base64 !== '') {
    return deliverBytes([fileIn(answer, base64)], facts);
  }
  if (typeof url === 'string' && url !== '') {
    const address = url.startsWith('/') ? `${upstream.origin}${url}` : url;
    return deliver(upstream, [address], facts);
  }
  const { code, message } = objectOf(picture.error);
  if (typeof message === 'string') return { refused: { class: classOfCode(String(code)), message } };
  throw new EngineError('upstream', `${upstream.name} answered without a picture`, { took: 'unknown' });
}
