import { type JsonObject, world } from '@darkroom-service/contract';
import { type CallContext, type Engine, EngineError, type OrderMedia } from '../engine.ts';
import { bytesOf } from '../upstream/bytes-of.ts';
import { probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, seedIn } from '../upstream/output-list.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream, type UpstreamRequest } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import { withoutSecrets } from '../upstream/without-secrets.ts';
import { errorOfCode, explainPixverseError, GONE } from './pixverse-errors.ts';

interface Handle extends JsonObject {
  readonly id: string;
}

const API_URL = 'https://app-api.pixverse.ai/openapi/v2';
const CONCURRENCY = 10;
/** Fields with the id of an uploaded picture, which is a number. */
const IMAGE_IDS = ['img_id', 'first_frame_img', 'last_frame_img'];
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * Creates the engine for PixVerse. A route's `model` is the call with the model: `text/v6`, `img/v6`,
 * `transition/v6`.
 */
export function createPixverseEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'PixVerse',
    baseUrl: settings.url ?? API_URL,
    headers: { 'api-key': key },
    secrets: [key],
    fetch,
    explain: explainPixverseError,
    timeoutMs: settings.callTimeoutMs,
  });
  /** Sends a request; each call needs an id of its own. */
  const send = (request: UpstreamRequest) =>
    upstream.call({ ...request, headers: { 'ai-trace-id': world.randomUUID() } });
  /** Makes a call that orders nothing, and returns the `Resp` of the answer. Refusals come with 200 too. */
  async function call(request: UpstreamRequest): Promise<JsonObject> {
    const { ErrCode: code, ErrMsg: message, Resp: resp } = objectOf((await send(request)).body);
    if (code === 0) return objectOf(resp);
    const words = typeof message === 'string' ? withoutSecrets(message, [key]) : 'it answered with something else';
    throw errorOfCode(code, words);
  }
  return createSubmitPollEngine<Handle>(
    {
      name: 'pixverse',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: createReferenceTransfer({
        pictures: { types: PICTURES, tools: pictures },
        inline: 0,
        byAddress: false,
        upload: (media, signal) => upload(call, media, signal),
      }),
      async submit({ model: routeModel, input }, { signal }) {
        const [path, model = ''] = routeModel.split('/');
        const url = `/video/${path}/generate`;
        const json = { model, ...withImageIds(input) };
        const answer = await send({ method: 'POST', url, json, signal, orders: true });
        const { video_id: id } = objectOf(objectOf(answer.body).Resp);
        if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return { id: String(id) };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        try {
          return standingOf(upstream, await call({ url: `/video/result/${encodeURIComponent(id)}`, signal }));
        } catch (error) {
          if (error instanceof EngineError && error.cause === GONE) return { state: 'gone' };
          throw error;
        }
      },
      jobOf: ({ id }) => id,
      probe: ({ signal }: CallContext) =>
        probeBy(async () => {
          await call({ url: '/account/balance', signal });
          return 'PixVerse accepts the key';
        }),
    },
    settings,
  );
}

function withImageIds(input: JsonObject): JsonObject {
  const entries = Object.entries(input).map(([name, value]) => [
    name,
    IMAGE_IDS.includes(name) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

/** Uploads a picture, since pictures cannot be inside an order. */
async function upload(
  call: (request: UpstreamRequest) => Promise<JsonObject>,
  media: OrderMedia,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  const name = `${media.field}-${media.index}.${media.contentType.split('/')[1] ?? 'bin'}`;
  form.append('image', new Blob([new Uint8Array(await bytesOf(media))], { type: media.contentType }), name);
  const { img_id: id } = await call({ method: 'POST', url: '/image/upload', body: form, signal });
  if (typeof id === 'number') return String(id);
  throw new EngineError('upstream', 'PixVerse named no id of an uploaded picture', { took: 'no' });
}

function standingOf(upstream: Upstream, { status, url, seed }: JsonObject): UpstreamState {
  switch (statusWord(status)) {
    case '5':
      return { state: 'pending' };
    case '7':
      return { state: 'failed', class: 'content_policy', message: 'the content was refused' };
    case '6':
    case '8':
      return { state: 'failed', class: 'upstream', message: 'the film was not made' };
    case '1':
      return typeof url === 'string' && url !== ''
        ? { state: 'succeeded', delivery: deliver(upstream, [url], { seed: seedIn(seed) }) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    default:
      return { state: 'unknown', word: String(status) };
  }
}
