import type {
  JSONObject,
  SharedV4ProviderMetadata,
  SharedV4Warning,
  Experimental_VideoModelV4OperationStartResult as StartResult,
  Experimental_VideoModelV4OperationStatusResult as StatusResult,
  Experimental_VideoModelV4 as VideoModelV4,
  Experimental_VideoModelV4CallOptions as VideoModelV4CallOptions,
  Experimental_VideoModelV4Result as VideoModelV4Result,
} from '@ai-sdk/provider';
import { DarkroomError, type OrderOptions, type TaskHandle } from '@darkroom/client';
import { mapVideoOptions } from './map-video-options.ts';
import type { ProviderContext } from './model-facts.ts';
import { createOrderBuilder, PROVIDER_NAME, readProviderOptions } from './order-builder.ts';
import { keyInHeaders, newKey, placeOrders, succeededOf } from './place-orders.ts';
import { sdkError } from './sdk-error.ts';

type Place = (order: { readonly model_id: string }, options: OrderOptions) => Promise<TaskHandle>;

/** What `doStart` hands to `doStatus`: plain JSON, so that another process can continue. */
interface Operation {
  readonly taskIds: readonly string[];
}

export function createVideoModel(context: ProviderContext, modelId: string): VideoModelV4 {
  const response = () => ({ timestamp: new Date(), modelId, headers: undefined });
  return {
    specificationVersion: 'v4',
    provider: `${PROVIDER_NAME}.video`,
    modelId,
    maxVideosPerCall: 1,
    async doGenerate(options): Promise<VideoModelV4Result> {
      const { handles, warnings } = await order(context, modelId, options, (body, call) =>
        context.client.videos.generate(body, call),
      );
      return { ...(await download(handles, options.abortSignal)), warnings, response: response() };
    },
    async doStart({ webhookUrl, ...options }): Promise<StartResult> {
      const extra = webhookUrl === undefined ? {} : { webhook_url: webhookUrl };
      const place: Place = (body, call) => context.client.videos.create({ ...body, ...extra }, call);
      const { handles, warnings } = await order(context, modelId, options, place);
      const operation: Operation = { taskIds: handles.map(({ taskId }) => taskId) };
      return { operation: { ...operation, taskIds: [...operation.taskIds] }, warnings, response: response() };
    },
    async doStatus({ operation, abortSignal }): Promise<StatusResult> {
      try {
        return { ...(await statusOf(context, operation as unknown as Operation, abortSignal)), response: response() };
      } catch (error) {
        throw sdkError(error, context.client, { operation }, true);
      }
    },
    handleWebhookOption: async ({ webhook }) => {
      const { url, received } = await webhook();
      return { webhookUrl: url, received };
    },
  };
}

async function order(
  { client, facts }: ProviderContext,
  modelId: string,
  options: VideoModelV4CallOptions,
  place: Place,
): Promise<{ readonly handles: readonly TaskHandle[]; readonly warnings: SharedV4Warning[] }> {
  const { abortSignal: signal, headers, n } = options;
  const { idempotencyKey, fields } = readProviderOptions(options.providerOptions);
  const callerKey = idempotencyKey ?? keyInHeaders(headers);
  let body = { model_id: modelId };
  try {
    const known = await facts(modelId);
    const builder = createOrderBuilder(modelId, known);
    mapVideoOptions(builder, known, options);
    body = { model_id: modelId, ...builder.fields, ...fields };
    const results = await placeOrders(n, callerKey ?? newKey(), (call) => place(body, call), signal);
    const { succeeded, warnings } = succeededOf(results, signal);
    return { handles: succeeded, warnings: [...builder.warnings, ...warnings] };
  } catch (error) {
    // The AI SDK sends one key over its retries of doStart, so that they find the same task.
    throw sdkError(error, client, body, callerKey !== undefined);
  }
}

type Status = StatusResult extends infer One ? (One extends unknown ? Omit<One, 'response'> : never) : never;

async function statusOf(
  { client }: ProviderContext,
  { taskIds }: Operation,
  signal: AbortSignal | undefined,
): Promise<Status> {
  const tasks = await Promise.all(taskIds.map((taskId) => client.videos.get(taskId, { signal })));
  if (tasks.some(({ completed_at: completed }) => completed === null)) return { status: 'pending' };
  const results = await Promise.allSettled(tasks.map((task) => client.videos.handle(task).result({ signal })));
  const handles = results.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  if (handles.length === 0) {
    const [first] = results.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
    return { status: 'error', error: first instanceof DarkroomError ? first.message : String(first) };
  }
  return {
    status: 'completed',
    ...(await download(handles, signal)),
    warnings: [...succeededOf(results, signal).warnings],
  };
}

/** Downloads with the API key, which works at any address of the service; the AI SDK itself refuses private ones. */
async function download(handles: readonly TaskHandle[], signal: AbortSignal | undefined) {
  const videos = await Promise.all(
    handles.map(async (handle) => ({
      type: 'binary' as const,
      data: await handle.content({ signal }).bytes(),
      mediaType: handle.output.content_type,
    })),
  );
  const providerMetadata: SharedV4ProviderMetadata = { [PROVIDER_NAME]: { videos: handles.map(metadataOf) } };
  return { videos, providerMetadata };
}

function metadataOf({ task, output }: TaskHandle): JSONObject {
  const { task_id: taskId, cost } = task;
  const { width, height, fps, duration_seconds: duration, has_audio: hasAudio, content_url: contentUrl, seed } = output;
  return {
    taskId,
    width,
    height,
    fps,
    duration,
    hasAudio,
    seed,
    contentUrl,
    cost: { amount: cost.amount, currency: cost.currency },
  };
}
