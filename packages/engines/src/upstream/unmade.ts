import { cutText, type JsonValue } from '@darkroom-service/contract';
import { EngineError, type EngineErrorClass } from '../engine.ts';
import { MOST_UNREAD_BYTES } from '../unread-answer.ts';
import { type Answer, type ErrorContext, errorFromAnswer } from './error-map.ts';
import { subjectOf, subjectOfError } from './error-words.ts';
import { objectOf } from './json-object.ts';
import { hasError, reasonIn, spokenIn, statusIn } from './reasons.ts';
import { withoutSecrets } from './without-secrets.ts';

/** An upstream's statement that it worked on an order and made nothing: the order has ended, and is not sent again. */
export interface Unmade {
  readonly refused: { readonly class: EngineErrorClass; readonly message: string };
}

/** The status that an error would have outside of a success. Errors of other classes come after the work. */
const STATUS_OF: Readonly<Partial<Record<EngineErrorClass, number>>> = {
  invalid_input: 400,
  content_policy: 400,
  auth: 401,
  billing: 402,
  rate_limited: 429,
  busy: 429,
};
const AFTER_THE_WORK = 500;
const SUCCESSES = ['0', '200', 'ok', 'success', 'succeed'];
const LONGEST_EXCERPT = 300;

/**
 * Reads a successful answer to an order that has neither a result nor a handle.
 * @param what words for the lack, such as `answered without a picture`
 * @returns the upstream's statement that it failed
 * @throws EngineError: `took: 'no'` for a refusal inside the success, as for its status; `took: 'unknown'` for an
 * answer that says nothing, with its first characters
 */
export function readUnmade(answer: Answer, context: Omit<ErrorContext, 'orders'>, what: string): Unmade {
  const { body } = answer;
  const reported = statusIn(body);
  const explained = context.explain({ ...answer, status: reported ?? answer.status });
  const isFailure = hasError(body) || (explained !== null && !saysSuccess(body));
  const reason = isFailure ? (explained?.message ?? reasonIn(body)) : null;
  if (reason !== null) {
    const byClass = explained?.class === undefined ? undefined : (STATUS_OF[explained.class] ?? AFTER_THE_WORK);
    const byWords = subjectOfError(answer, reason) !== null ? 400 : saysNoQuota(answer, reason) ? 429 : AFTER_THE_WORK;
    const status = reported ?? byClass ?? byWords;
    const error = errorFromAnswer({ ...answer, status }, { ...context, orders: true });
    if (error.took === 'no') throw error;
    return { refused: { class: error.class, message: reason } };
  }
  const spoken = spokenIn(body);
  if (spoken !== null) {
    const isOfContent = subjectOf(spoken, answer.ordered?.() ?? []) === 'content_policy';
    return { refused: { class: isOfContent ? 'content_policy' : 'upstream', message: `it made nothing: ${spoken}` } };
  }
  throw new EngineError('upstream', `${context.name} ${what}`, {
    took: 'unknown',
    answered: cutText(withoutSecrets(answer.text, context.secrets), LONGEST_EXCERPT),
    unread: { bytes: answer.unread ?? firstBytes(answer.text), files: [...(answer.files?.values() ?? [])] },
  });
}

function firstBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(0, MOST_UNREAD_BYTES)).subarray(0, MOST_UNREAD_BYTES);
}

function saysNoQuota(answer: Answer, reason: string): boolean {
  return subjectOfError(answer, reason, ['no_quota']) !== null;
}

function saysSuccess(body: JsonValue | undefined): boolean {
  const { code, ErrCode: second, base_resp: response } = objectOf(body);
  const status = code ?? second ?? objectOf(response).status_code;
  return status !== undefined && SUCCESSES.includes(String(status).toLowerCase());
}
