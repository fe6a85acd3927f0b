import type { JsonValue } from '@darkroom-service/contract';
import type { Delivery } from '../engine.ts';
import type { Answer } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, deliverBytes, seedIn } from '../upstream/output-list.ts';
import { spokenIn } from '../upstream/reasons.ts';
import { resultIn } from '../upstream/result-in.ts';
import type { UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';

/**
 * Paths of the files in each provider's result, as URLs or in base64: Comfy Router passes results on as the vendors
 * write them. `[]` stands for each item of a list. From the output schemas of its models (docs repository of Comfy,
 * 2026-11-21).
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  bfl: ['result.sample'],
  byteplus: ['content.video_url', 'data.[].url', 'data.[].b64_json'],
  fal: ['video.url'],
  ideogram: ['data.[].url'],
  kling: ['data.task_result.videos.[].url', 'data.[].outputs.[].url'],
  krea: ['result.urls.[]'],
  ltx: ['result.video_url'],
  luma_2: ['output.[].url'],
  minimax: ['task.content.url'],
  openai: ['data.[].b64_json', 'data.[].url'],
  pixverse: ['Resp.url'],
  pruna: ['generation_url'],
  qwen: ['output.choices.[].message.content.[].image'],
  recraft: ['data.[].url'],
  runway: ['output.[]'],
  veo: ['response.videos.[].gcsUri', 'response.videos.[].bytesBase64Encoded'],
  vertexai: ['candidates.[].content.parts.[].inlineData.data', 'candidates.[].content.parts.[].fileData.fileUri'],
  wan: ['output.video_url', 'output.results.[].url'],
  xai: ['data.[].url', 'video.url'],
};
/** Fields that results of vendors have in addition to their files, or instead of them. */
const OF_RESULTS = [
  'id',
  'status',
  'state',
  'choices',
  'candidates',
  'promptFeedback',
  'block_reason',
  'usage',
  'created',
];
/** Texts and flags in a successful result that mean that the vendor withheld the file for its content. */
const WITHHELD =
  /"(?:block_?reason|raiMediaFilteredReasons)":(?!null|""|\[\])|"(?:respect_moderation|is_image_safe)":false|"finishReason":"[A-Z_]*(?:SAFETY|PROHIBITED|BLOCKLIST|SPII)/i;

/**
 * Reads the result of a completed request. A result without a file was withheld or is broken.
 * @throws EngineError if it is no result, so that it is asked for again
 */
export function readResult(upstream: Upstream, model: string, answer: Answer): UpstreamState {
  const paths = FILES[model.split('/')[0] ?? ''] ?? [];
  const fields = paths.map((path) => path.split('.')[0] ?? '');
  const body = resultIn('Comfy Router', answer, [...fields, ...OF_RESULTS]);
  const filesIn = (withDrafts: boolean) =>
    paths.flatMap((path) => valuesAt(body, path.split('.'), withDrafts)).filter((one) => one !== '');
  // If there are only pictures of the model's thinking, the last one is the result.
  const file = filesIn(false)[0] ?? filesIn(true).at(-1);
  if (file === undefined) {
    const spoken = spokenIn(body);
    return WITHHELD.test(JSON.stringify(body))
      ? { state: 'failed', class: 'content_policy', message: 'the vendor withheld the result for its content' }
      : { state: 'failed', message: `the result holds no file${spoken === null ? '' : `: ${spoken}`}` };
  }
  return { state: 'succeeded', delivery: deliveryOf(upstream, file, body) };
}

function deliveryOf(upstream: Upstream, file: string, body: { readonly [name: string]: JsonValue }): Delivery {
  const seed = seedIn(objectOf(body.result).seed ?? body.seed);
  return /^(https?:\/\/|data:)/.test(file)
    ? deliver(upstream, [file], { seed })
    : deliverBytes([Buffer.from(file, 'base64')], { seed });
}

/** Returns the texts at a path. @param withDrafts whether images of a model's thinking are among them */
function valuesAt(value: JsonValue | undefined, path: readonly string[], withDrafts: boolean): string[] {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  if (name === '[]')
    return Array.isArray(value) ? value.flatMap((item: JsonValue) => valuesAt(item, rest, withDrafts)) : [];
  const object = objectOf(value);
  return object.thought === true && !withDrafts ? [] : valuesAt(object[name], rest, withDrafts);
}
