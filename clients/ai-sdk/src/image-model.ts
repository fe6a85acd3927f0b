import type { ImageModelV4, ImageModelV4CallOptions, ImageModelV4Result, JSONObject } from '@ai-sdk/provider';
import type { TaskHandle } from '@darkroom/client';
import { referenceOf } from './media.ts';
import type { ProviderContext } from './model-facts.ts';
import { createOrderBuilder, type OrderBuilder, PROVIDER_NAME, ratioOf, readProviderOptions } from './order-builder.ts';
import { keyInHeaders, newKey, placeOrders, succeededOf } from './place-orders.ts';
import { sdkError } from './sdk-error.ts';

/** One call of the AI SDK orders all its images: one task makes one image. */
const MAX_IMAGES_PER_CALL = 100;

export function createImageModel(context: ProviderContext, modelId: string): ImageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: `${PROVIDER_NAME}.image`,
    modelId,
    maxImagesPerCall: MAX_IMAGES_PER_CALL,
    supportsFileInputs: true,
    supportsMaskInputs: true,
    doGenerate: (options) => generate(context, modelId, options),
  };
}

async function generate(
  { client, facts }: ProviderContext,
  modelId: string,
  options: ImageModelV4CallOptions,
): Promise<ImageModelV4Result> {
  const { abortSignal: signal, headers, n } = options;
  const { idempotencyKey, fields } = readProviderOptions(options.providerOptions);
  const callerKey = idempotencyKey ?? keyInHeaders(headers);
  let order: object = { model_id: modelId };
  try {
    const builder = createOrderBuilder(modelId, await facts(modelId));
    mapOptions(builder, options);
    order = { model_id: modelId, ...builder.fields, ...fields };
    const results = await placeOrders(
      n,
      callerKey ?? newKey(),
      (call) => client.images.generate(order as { model_id: string }, call),
      signal,
    );
    const { succeeded, warnings } = succeededOf(results, signal);
    const images = await Promise.all(succeeded.map((handle) => handle.content({ signal }).bytes()));
    return {
      images,
      // What the model made is paid for: asking again would order again.
      isRetryable: false,
      warnings: [...builder.warnings, ...warnings],
      providerMetadata: { [PROVIDER_NAME]: { images: succeeded.map(metadataOf) } },
      response: { timestamp: new Date(), modelId, headers: undefined },
    };
  } catch (error) {
    // The AI SDK makes no key for images: without one of the caller, another try would be another order.
    throw sdkError(error, client, order, callerKey !== undefined);
  }
}

function mapOptions(builder: OrderBuilder, options: ImageModelV4CallOptions): void {
  const { prompt, size, aspectRatio, seed, files = [], mask } = options;
  builder.set('prompt', prompt, 'prompt');
  builder.set('aspectRatio', aspectRatio, 'aspect_ratio');
  builder.set('seed', seed, 'seed');
  if (size !== undefined) mapSize(builder, size);
  if (files.length > 0) builder.set('files', files.map(referenceOf), 'image_urls');
  if (mask !== undefined) builder.set('mask', referenceOf(mask), 'mask_url');
}

function mapSize(builder: OrderBuilder, size: string): void {
  const ratio = ratioOf(size);
  if (builder.accepts('size')) builder.set('size', size, 'size');
  else if (builder.fields.aspect_ratio === undefined && builder.accepts('aspect_ratio', ratio)) {
    builder.set('size', ratio, 'aspect_ratio');
    builder.adapted('size', `The model has no exact sizes. The order asks for the aspect ratio ${ratio}.`);
  } else
    builder.unsupported(
      'size',
      'The model has no exact sizes. Use aspectRatio, and providerOptions.darkroom.resolution.',
    );
}

function metadataOf({ task, output, idempotencyKey }: TaskHandle): JSONObject {
  const { task_id: taskId, cost } = task;
  const { width, height, seed, revised_prompt: revisedPrompt, content_url: contentUrl } = output;
  return {
    taskId,
    idempotencyKey,
    width,
    height,
    seed,
    revisedPrompt,
    contentUrl,
    cost: { amount: cost.amount, currency: cost.currency },
  };
}
