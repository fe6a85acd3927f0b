import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { EngineErrorClass } from '../engine.ts';
import type { ReportedCost } from '../reported-cost.ts';
import type { Generated } from '../upstream/blocking-engine.ts';
import type { Answer } from '../upstream/error-map.ts';
import { classOfFailure } from '../upstream/error-words.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, deliverBytes } from '../upstream/output-list.ts';
import { fileIn } from '../upstream/read-files.ts';
import { hasEmpty } from '../upstream/reasons.ts';
import { reportedTokens } from '../upstream/reported-cost.ts';
import type { Unmade } from '../upstream/unmade.ts';
import type { Upstream } from '../upstream/upstream-call.ts';

interface Dialect {
  /** Reads the code of an `error` that replaces a picture (ByteDance). */
  readonly classOfCode?: (code: string) => EngineErrorClass | undefined;
  /** Class of an empty list of pictures. Default: `upstream`. */
  readonly whenEmpty?: EngineErrorClass;
}

/**
 * Reads `{ data: [{ b64_json | url, revised_prompt? }], quality? }`, the response of OpenAI and of all copies of its
 * images API. Some copies report refusals in it with a success status: `respect_moderation: false` and an empty list
 * (xAI), an `error` instead of the picture (ByteDance).
 * @throws EngineError, see `readUnmade`
 */
export function readImages(upstream: Upstream, answer: Answer, dialect: Dialect = {}): Generated {
  const { data, quality } = objectOf(answer.body);
  const named = typeof quality === 'string' ? { named: { quality } } : {};
  const [first] = Array.isArray(data) ? data : [];
  const picture: JsonObject = objectOf(first);
  const { b64_json: base64, url, revised_prompt: revised, respect_moderation: respected } = picture;
  if (respected === false) {
    return { refused: { class: 'content_policy', message: 'the result was withheld by the moderation' } };
  }
  const facts = { revisedPrompt: typeof revised === 'string' && revised !== '' ? revised : null };
  if (typeof base64 === 'string' && base64 !== '') {
    return { ...deliverBytes([fileIn(answer, base64)], facts), ...named };
  }
  if (typeof url === 'string' && url !== '') {
    const address = url.startsWith('/') ? `${upstream.origin}${url}` : url;
    return { ...deliver(upstream, [address], facts), ...named };
  }
  const { code, message } = objectOf(picture.error);
  if (typeof message === 'string') {
    const found = { class: dialect.classOfCode?.(String(code)), message };
    return { refused: { class: classOfFailure(found, answer.ordered?.() ?? []), message } };
  }
  return withoutPicture(upstream, answer, dialect.whenEmpty);
}

/** Returns the tokens that OpenAI counted. Servers that copy its images API may omit the details. */
export function tokensIn(body: JsonValue | undefined): { upstreamCost?: ReportedCost } {
  const usage = objectOf(objectOf(body).usage);
  const [input, output] = [objectOf(usage.input_tokens_details), objectOf(usage.output_tokens_details)];
  return reportedTokens({
    prompt: input.text_tokens ?? usage.input_tokens,
    input_image: input.image_tokens,
    output_image: output.image_tokens ?? usage.output_tokens,
    output_text: output.text_tokens,
  });
}

/** Reads an answer without a picture: an empty list, or null, means that none was made. @throws EngineError */
export function withoutPicture(upstream: Upstream, answer: Answer, whenEmpty: EngineErrorClass = 'upstream'): Unmade {
  if (!hasEmpty(answer.body, 'data', ['b64_json', 'url'])) return upstream.unmade(answer, 'answered without a picture');
  const why = whenEmpty === 'content_policy' ? ': its moderation withheld the result' : '';
  return { refused: { class: whenEmpty, message: `it made no picture${why}` } };
}
