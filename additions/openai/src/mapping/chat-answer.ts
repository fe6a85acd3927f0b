import type { Kernel, StoredOutput } from '@darkroom-service/darkroom/kernel';
import type { CallResult } from './call-result.ts';
import type { Call } from './calls.ts';
import type { Dialect, ResultWriter } from './dialect.ts';
import { base64Of } from './images-answer.ts';
import { failureOf } from './openai-error.ts';

/** Tokens of a call, which has none, and its charge in US dollars. */
export interface ChatUsage {
  readonly prompt_tokens: 0;
  readonly completion_tokens: 0;
  readonly total_tokens: 0;
  readonly cost: number;
}

/** A call as a chat completion. */
export interface ChatCompletionView {
  readonly id: string;
  readonly object: 'chat.completion';
  /** Seconds since 1970. */
  readonly created: number;
  /** The model as the client named it. */
  readonly model: string;
  readonly choices: readonly ChatChoice[];
  readonly usage: ChatUsage;
}

interface ChatChoice {
  readonly index: number;
  readonly finish_reason: 'stop';
  readonly message: {
    readonly role: 'assistant';
    readonly content: '';
    readonly images: readonly { readonly type: 'image_url'; readonly image_url: { readonly url: string } }[];
  };
}

/** Writes a call as a chat completion with one choice for each image. */
export const writeCompletion: ResultWriter = async function* write(kernel, call, result) {
  yield `${openHead(call, result, 'chat.completion')},"system_fingerprint":null,"choices":[`;
  for (const [index, { output }] of result.images.entries()) {
    if (index > 0) yield ',';
    yield `{"index":${index},"finish_reason":"stop","logprobs":null,"message":{"role":"assistant","content":"","refusal":null,"images":[`;
    yield* imagePart(kernel, output);
    yield ']}}';
  }
  yield `],"usage":${JSON.stringify(chatUsage(result))}}`;
};

/** Returns a writer of a call as the chunks of a chat completion: one for each image, then one with the usage. */
export function chatEvents({ errorBody }: Pick<Dialect, 'errorBody'>): ResultWriter {
  return async function* write(kernel, call, result) {
    const head = openHead(call, result, 'chat.completion.chunk');
    const [failed] = result.failures;
    if (failed !== undefined && result.images.length === 0) {
      const { error } = errorBody(failureOf(failed.failure).error);
      const choices = [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'error' }];
      yield `data: ${head},"choices":${JSON.stringify(choices)},"error":${JSON.stringify(error)}}\n\n`;
      return;
    }
    for (const [index, { output }] of result.images.entries()) {
      yield `data: ${head},"choices":[{"index":${index},"finish_reason":null,"delta":{"role":"assistant","content":"","images":[`;
      yield* imagePart(kernel, output);
      yield ']}}]}\n\n';
    }
    const choices = result.images.map((_, index) => ({ index, delta: {}, finish_reason: 'stop' }));
    const usage = JSON.stringify(chatUsage(result));
    yield `data: ${head},"choices":${JSON.stringify(choices)},"usage":${usage}}\n\n`;
  };
}

/** Returns the usage of a final call. */
export function chatUsage({ charged }: Pick<CallResult, 'charged'>): ChatUsage {
  return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: charged / MICROS_PER_DOLLAR };
}

const MICROS_PER_DOLLAR = 1_000_000;

type ChatHead = Pick<ChatCompletionView, 'id' | 'created' | 'model'>;

/** Returns the JSON text of an answer's first fields, without its closing brace. */
function openHead({ id, view }: Call, { createdAt }: CallResult, object: string): string {
  const head = { id, created: Math.floor(createdAt / 1000), model: view.chatModel ?? '' } satisfies ChatHead;
  return JSON.stringify({ object, ...head }).slice(0, -1);
}

async function* imagePart(kernel: Pick<Kernel, 'files' | 'outputs'>, output: StoredOutput) {
  yield `{"type":"image_url","index":0,"image_url":{"url":"data:${output.contentType};base64,`;
  yield* base64Of(kernel, output);
  yield '"}}';
}
