import { cleanText, decodeText, type JsonObject, sleep } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import type { Log } from '../../kernel.ts';

export interface JudgedText extends JsonObject {
  /** The field, for example `negative_prompt` or `multi_prompt[0].prompt`. */
  readonly field: string;
  readonly text: string;
}

export interface JudgedMedium extends JsonObject {
  readonly field: string;
  readonly url: string;
  /** The media type; null if the service has not read the file, because the vendor will. */
  readonly content_type: string | null;
}

/** The request body for the operator's moderation service. */
export interface ModerationQuestion extends JsonObject {
  readonly stage: 'input' | 'output';
  readonly task_id: string;
  readonly model_id: string;
  readonly end_user: string | null;
  readonly prompt: string | null;
  /** Signed URLs of the references, or of the outputs. */
  readonly urls: readonly string[];
  /** Every text by the caller or the upstream, including the prompt. */
  readonly texts: readonly JudgedText[];
  /** The files of `urls` with their fields, and URLs that only the vendor reads. */
  readonly media: readonly JudgedMedium[];
}

export interface Moderation {
  /** Returns null if allowed, else the reason for the customer. @throws the signal's reason */
  judge(question: ModerationQuestion, signal: AbortSignal): Promise<string | null>;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const LONGEST_REASON = 1_000;
const TIMEOUT_MS = 10_000;
/** The pauses between attempts, before the moderation service counts as unreachable. */
const PAUSES_MS = [500, 2_000];
const ABSENT = 'The moderation service could not be reached, and it must approve every order. Order again later.';

/**
 * Asks the service at `url`, which answers `{ "allowed": true }` or `{ "allowed": false, "reason": "…" }`.
 * @param options.required whether orders are refused while it is unreachable; otherwise they continue
 */
export function createModeration(options: {
  readonly url: string;
  readonly required: boolean;
  readonly fetch: TrustedFetch;
  readonly log: Log;
}): Moderation {
  return {
    async judge(question, signal) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await ask(question, signal);
        } catch (error) {
          signal.throwIfAborted();
          const pause = PAUSES_MS[attempt];
          if (pause === undefined) {
            options.log.warn({ err: error, task_id: question.task_id }, 'moderation request failed');
            return options.required ? ABSENT : null;
          }
          await sleep(pause, { signal });
        }
      }
    },
  };

  async function ask(question: ModerationQuestion, signal: AbortSignal): Promise<string | null> {
    const response = await options.fetch(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      allowOrigins: [new URL(options.url).origin],
    });
    const answer = await readAnswer(response.status, response.body);
    return answer.allowed ? null : (answer.reason ?? 'Refused by moderation.');
  }
}

async function readAnswer(
  status: number,
  body: AsyncIterable<Uint8Array>,
): Promise<{ allowed: boolean; reason: string | null }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const text = decodeText(Buffer.concat(chunks), 'the answer of moderation');
  if (status !== 200) throw new Error(`moderation answered ${status}`);
  const answer = JSON.parse(text) as { allowed?: unknown; reason?: unknown };
  if (typeof answer.allowed !== 'boolean') throw new Error('moderation answered without "allowed": true or false');
  return {
    allowed: answer.allowed,
    reason: typeof answer.reason === 'string' ? cleanText(answer.reason, LONGEST_REASON) : null,
  };
}
