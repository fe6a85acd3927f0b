import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { type Engine, EngineError } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { failedProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { statusWord } from '../upstream/status-word.ts';
import {
  beforeOrdering,
  createSubmitPollEngine,
  type EngineTools,
  type UpstreamState,
} from '../upstream/submit-poll-engine.ts';
import { seedOf } from '../upstream/task-numbers.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import { secretsOfHeader } from '../upstream/without-secrets.ts';
import { harmlessPrompt } from './harmless-prompt.ts';
import { cutToFrame, type Frame, inWholeBlocks, widenPictures } from './whole-blocks.ts';

interface SdServerSettings extends EngineTools {
  /** The server's address, such as `http://127.0.0.1:1234`. */
  readonly url: string;
  /** The value of an `Authorization` header, for a reverse proxy in front; null = none. */
  readonly authorization: string | null;
  /** Concurrent orders. Default 2: one runs and one waits on the server, so that it is never idle. */
  readonly atOnce?: number;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}

interface Handle extends JsonObject {
  readonly id: string;
  readonly seed: number;
  /** The customer's size, if the pictures are rendered larger; null = they have it. */
  readonly frame: Frame | null;
}

/** Not verified against a live server: the maximum file bytes in one order. */
const UNVERIFIED = { inlineBytes: 64 * 1024 * 1024 };
const AT_ONCE = 2;
const MAX_ANSWER_BYTES = 512 * 1024 * 1024;
const MODES = ['img_gen', 'vid_gen'];
/** Default that a route may override: the file would name the prompt and the operator's model files. */
const NO_METADATA = { embed_image_metadata: false };

/**
 * Creates the engine for stable-diffusion.cpp's server, with its native API. The server has one model and runs one
 * order at a time, which cannot be interrupted; it keeps results for ten minutes.
 */
export function createSdServerEngine(settings: SdServerSettings): Engine {
  const { authorization, pictures } = settings;
  const secrets = secretsOfHeader(authorization);
  const upstream = createUpstream({
    name: 'sd-server',
    baseUrl: settings.url,
    headers: authorization === null ? {} : { authorization },
    secrets,
    fetch: settings.fetch,
    explain: explainError,
    timeoutMs: settings.callTimeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isOwn: true,
  });
  const job = (id: string) => `/sdcpp/v1/jobs/${encodeURIComponent(id)}`;
  return createSubmitPollEngine<Handle>(
    {
      name: 'sd-server',
      isFree: true,
      concurrency: settings.atOnce ?? AT_ONCE,
      timeoutMs: upstream.timeoutMs,
      secrets,
      handOver: createReferenceTransfer({
        // The server ignores the orientation of photographs, and refuses grey pictures and AVIF.
        pictures: { types: [], tools: pictures },
        inline: UNVERIFIED.inlineBytes,
        byAddress: false,
      }),
      async submit({ model, input }, { order, signal }) {
        if (!MODES.includes(model)) {
          const message = `expected a route to one of ${MODES.join(', ')}, found ${model}`;
          throw new EngineError('upstream', message, { took: 'no', scope: 'route' });
        }
        // The server would choose a random seed and not report it.
        const seed = seedOf(order);
        const size = model === 'img_gen' ? inWholeBlocks(input) : null;
        const { rendered = {}, frame = null } = size ?? {};
        const framed =
          frame === null ? input : await beforeOrdering(() => widenPictures(input, frame, pictures, order), signal);
        const json = { ...NO_METADATA, ...withHarmlessPrompts(framed), ...rendered, seed };
        const call = { method: 'POST', url: `/sdcpp/v1/${model}`, json };
        const answer = await upstream.call({ ...call, signal, orders: true });
        const { id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id, seed, frame };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id, seed, frame }, { signal, order }) {
        const { status, body } = await upstream.call({ url: job(id), signal, accept: [404, 410] });
        if (status === 404 || status === 410) return { state: 'gone' };
        const cut = async (file: Uint8Array) =>
          frame === null ? file : await cutToFrame(file, frame, pictures, order);
        return await standingOf(objectOf(body), seed, cut);
      },
      jobOf: ({ id }) => id,
      /** Cancels an order that waits at the server; for a running one, the server answers 409. */
      async cancel({ id }, { signal }) {
        const { status } = await upstream.call({
          method: 'POST',
          url: `${job(id)}/cancel`,
          signal,
          accept: [404, 409, 410],
        });
        return status === 200;
      },
      async probe({ signal }) {
        try {
          const { body } = await upstream.call({ url: '/sdcpp/v1/capabilities', signal });
          const modes = objectOf(body).supported_modes;
          if (!Array.isArray(modes))
            return { ok: false, message: `what answers at ${upstream.origin} is no sd-server` };
          const models = modes.map(String);
          return {
            ok: true,
            message: `sd-server answers at ${upstream.origin} and makes ${models.join(', ')}`,
            models,
          };
        } catch (error) {
          return failedProbe(error);
        }
      },
    },
    settings,
  );
}

function withHarmlessPrompts(input: JsonObject): JsonObject {
  const texts = ['prompt', 'negative_prompt'].flatMap((name) => {
    const text = input[name];
    return typeof text === 'string' ? [[name, harmlessPrompt(text)] as const] : [];
  });
  return { ...input, ...Object.fromEntries(texts) };
}

type Cut = (file: Uint8Array) => Promise<Uint8Array>;

async function standingOf({ status, result, error }: JsonObject, seed: number, cut: Cut): Promise<UpstreamState> {
  switch (statusWord(status)) {
    case 'queued':
    case 'generating':
      return { state: 'pending', word: String(status) };
    case 'completed':
      return await succeeded(objectOf(result), seed, cut);
    case 'cancelled':
      return { state: 'canceled' };
    case 'failed': {
      const { code, message } = objectOf(error);
      if (code === 'cancelled') return { state: 'canceled' };
      const reason = [message, code].find((text) => typeof text === 'string' && text !== '');
      return { state: 'failed', class: 'upstream', message: String(reason ?? 'it failed without a reason') };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}

/** Reads a result: a list of pictures, or a single video; both are always inside the response. */
async function succeeded({ images, b64_json: film }: JsonObject, seed: number, cut: Cut): Promise<UpstreamState> {
  const pictures = Array.isArray(images) ? images.map((image: JsonValue) => objectOf(image).b64_json) : [];
  const files = [...pictures, film].flatMap((file) =>
    typeof file === 'string' && file !== '' ? [Buffer.from(file, 'base64')] : [],
  );
  if (files.length === 0) return { state: 'failed', class: 'upstream', message: 'the result holds no file' };
  return { state: 'succeeded', delivery: deliverBytes(await Promise.all(files.map(cut)), { seed }) };
}

/** Reads `{ error: text }`, or `{ error: kind, message }`. */
function explainError({ status, body }: Answer): Explained | null {
  const { error, message } = objectOf(body);
  const words = [message, error].find((text) => typeof text === 'string' && text !== '');
  if (typeof words !== 'string') return null;
  // The operator decides which model the server has loaded, and which formats it was built with, not the customer.
  const isOurMistake = status === 400 && /loaded model does not support|^invalid output_format/.test(words);
  return { message: words, ...(isOurMistake ? { class: 'upstream', scope: 'route' } : {}) };
}
