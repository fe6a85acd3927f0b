import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { inputOf, type Kernel, type OrderingKey } from '@darkroom-service/darkroom/kernel';
import { outputsOf } from '@darkroom-service/darkroom/kernel-views';
import { MediaSearch } from '@darkroom-service/media';
import { LABELS } from './map-fields.ts';
import { outputOf } from './map-size.ts';
import type { RequestedCall } from './requested-call.ts';
import type { SentMedia } from './sent-media.ts';

/** Fields that a remix takes over from its video. */
const KEPT = ['resolution', 'aspect_ratio', 'size', 'duration'];
const FROM_VIDEO = 'reference_video_urls';

/**
 * Reads the body of `POST videos/{id}/remix`: an order of the same model, with a new prompt and the video as reference.
 * @throws ServiceError `task_not_found`, `not_final`, `parent_not_usable`, `unsupported_action` if the model cannot use
 * videos
 */
export async function readRemixCall(
  { orders, tasks }: Pick<Kernel, 'orders' | 'tasks'>,
  key: OrderingKey,
  videoId: string,
  { references, masks, rest: body }: SentMedia,
): Promise<RequestedCall> {
  const row = await tasks.row(key, 'video', videoId);
  const model = orders.catalog().find(row.model_id);
  if (model === null || !(FROM_VIDEO in model.parameters)) throw cannotRemix(orders, row.model_id);
  if (row.completed_at === null)
    throw new ServiceError('not_final', `The video ${videoId} is not finished. Wait until it is completed.`, {
      param: 'video_id',
      retryAfterSeconds: 2,
    });
  if (outputsOf(row).length === 0)
    throw new ServiceError('parent_not_usable', `The video ${videoId} has no file. Use a video that is completed.`, {
      param: 'video_id',
    });
  const search = new MediaSearch();
  const ignored = Object.keys(body).filter((name) => name !== 'prompt');
  const medium =
    [...references, ...masks][0]?.name ??
    ignored.find((name) => !LABELS.includes(name) && search.inspect(name, body[name] ?? null) !== 'nothing');
  if (medium !== undefined) throw takesNone(medium, model);
  const wanted = { prompt: body.prompt ?? null, [FROM_VIDEO]: [`task:${videoId}`] };
  return {
    body: { model_id: model.model_id, ...keptFields(model, inputOf(row), wanted), ...wanted },
    count: 1,
    view: { format: 'url', ignored },
  };
}

/** Returns the kept fields; none if the model refuses them together with a video. */
function keptFields(model: Model, input: JsonObject, wanted: JsonObject): JsonObject {
  const kept = Object.fromEntries(
    KEPT.filter((name) => (input[name] ?? null) !== null).map((name) => [name, input[name] ?? null]),
  );
  return outputOf(model, { ...kept, ...wanted }) === null ? {} : kept;
}

function takesNone(name: string, { model_id, compiled }: Model): ServiceError {
  const fields = compiled.fields.media.map((field) => field.name).join(', ');
  const message = `${name}: a remix takes no medium beside its video. Order it with POST /v1/videos: ${model_id} takes media in ${fields}.`;
  return new ServiceError('unsupported_field', message, { param: name });
}

function cannotRemix(orders: Pick<Kernel['orders'], 'catalog'>, modelId: string): ServiceError {
  const able = orders
    .catalog()
    .models.filter((model) => model.type === 'video' && model.status === 'active' && FROM_VIDEO in model.parameters)
    .map((model) => model.model_id);
  return new ServiceError(
    'unsupported_action',
    `${modelId} cannot make a video from a video. Order the video from a model that can: ${able.join(', ')}.`,
    { param: 'video_id' },
  );
}
