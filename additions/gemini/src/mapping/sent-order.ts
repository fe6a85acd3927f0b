import { mapFields } from '@darkroom-service/addition-openai/mapping/map-fields';
import type { CallView, RequestedCall } from '@darkroom-service/addition-openai/mapping/requested-call';
import { placeReferences } from '@darkroom-service/addition-openai/mapping/sent-media';
import type { JsonObject } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { Medium } from './read-media.ts';

/** The order in a request of any method. */
export interface SentOrder {
  readonly prompt: string | null;
  /** Files from which the order starts. */
  readonly media: readonly Medium[];
  /** Other fields, under the names that the models of the service have for them. */
  readonly fields: JsonObject;
  /** Number of orders. */
  readonly count: number;
  /** Whether the answer has the address of each file in place of its content. */
  readonly wantsUrls?: boolean;
}

/** Form of the answer to a call, stored with the call. */
export type AnswerForm = 'gemini:content' | 'gemini:prediction' | 'gemini:operation' | 'gemini:interaction';

/**
 * Returns the call of an order. Fields that the model does not have are omitted and named; those with media are left to
 * the model, which refuses them.
 * @param model null = unknown; the order is refused when it is judged
 */
export function callOf(modelId: string, model: Model | null, order: SentOrder, door: AnswerForm): RequestedCall {
  const format: CallView['format'] = order.wantsUrls === true ? 'url' : 'b64_json';
  if (model === null) return { body: { model_id: modelId }, count: 1, view: { format, ignored: [], door } };
  const sent = order.prompt === null ? order.fields : { prompt: order.prompt, ...order.fields };
  const { fields, ignored } = mapFields(model, sent, []);
  const body = { model_id: modelId, ...fields, ...placeMedia(model, order.media) };
  return { body, count: order.count, view: { format, ignored, door } };
}

/** Returns the model's fields for files. A single picture is the first frame of a film that has one. */
function placeMedia(model: Model, media: readonly Medium[]): JsonObject {
  const sourcesOf = (kind: Medium['kind']) => media.filter((one) => one.kind === kind).map(({ source }) => source);
  const [images, videos, audios] = [sourcesOf('image'), sourcesOf('video'), sourcesOf('audio')];
  return {
    ...placeReferences(
      model,
      images.map((source) => ({ name: 'image', source })),
    ),
    ...(videos.length === 0 ? {} : { reference_video_urls: videos }),
    ...(audios.length === 0 ? {} : { reference_audio_urls: audios }),
  };
}
