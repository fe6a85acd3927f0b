import { Readable } from 'node:stream';
import type { CallResult } from '@darkroom-service/addition-openai/mapping/call-result';
import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { base64Of } from '@darkroom-service/addition-openai/mapping/images-answer';
import { formatMicros, type JsonObject } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';

type AnswerKernel = Pick<Kernel, 'files' | 'outputs'>;

/** Returns the answer of a call that has images, as JSON in pieces. */
export function answerImages(kernel: AnswerKernel, call: Call, result: CallResult, sent: JsonObject): Readable {
  return Readable.from(writeAnswer(kernel, call, result, sent), { objectMode: false });
}

async function* writeAnswer(kernel: AnswerKernel, call: Call, result: CallResult, sent: JsonObject) {
  yield '{"images":[';
  for (const [index, { output }] of result.images.entries()) {
    yield index === 0 ? '"' : ',"';
    yield* base64Of(kernel, output);
    yield '"';
  }
  const info = JSON.stringify(describeImages(call, result, sent));
  yield `],"parameters":${JSON.stringify(parametersOf(result))},"info":${JSON.stringify(info)}}`;
}

/** Returns the order without its media: the web UI repeats the request. */
function parametersOf({ input }: CallResult): object {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !/_urls?$/.test(name)));
}

/** Returns `info`: how the images were made, and what was asked for and could not be done. */
function describeImages(call: Call, result: CallResult, sent: JsonObject): object {
  const [first] = result.images;
  const prompt = String(sent.prompt ?? '');
  const negative = String(sent.negative_prompt ?? '');
  const seeds = result.images.map(({ output }) => output.seed ?? -1);
  const ignored = call.view.ignored.length === 0 ? '' : `Ignored, or met only nearly: ${call.view.ignored.join(', ')}`;
  const failed = result.failures.map(({ taskId, failure }) => `${taskId}: ${failure.message}`);
  const text = [
    prompt,
    negative === '' ? '' : `Negative prompt: ${negative}`,
    `Model: ${String(result.input.model_id)}`,
    ignored,
  ];
  return {
    prompt,
    all_prompts: result.images.map(() => prompt),
    negative_prompt: negative,
    all_negative_prompts: result.images.map(() => negative),
    seed: seeds[0] ?? -1,
    all_seeds: seeds,
    width: first?.output.width ?? null,
    height: first?.output.height ?? null,
    batch_size: result.images.length,
    sd_model_name: result.input.model_id ?? null,
    index_of_first_image: 0,
    infotexts: result.images.map(() => text.filter((line) => line !== '').join('\n')),
    ignored: call.view.ignored,
    failed,
    task_ids: call.taskIds,
    cost_usd: formatMicros(result.charged),
  };
}
