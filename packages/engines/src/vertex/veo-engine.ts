import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass } from '../engine.ts';
import { transferToGoogle, withMedia } from '../google/google-api.ts';
import { probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { namesFound } from '../upstream/listed-models.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { AccessTokens } from './access-tokens.ts';
import { createVertexApi, type VertexSettings } from './vertex-api.ts';

/** Codes of gRPC. An invalid argument (3) may mean the content: its words tell. */
const CLASS_OF_CODE: Readonly<Record<number, EngineErrorClass>> = {
  4: 'timeout',
  7: 'auth',
  8: 'rate_limited',
  14: 'busy',
};

/** Reads the state of a long-running operation. An operation that ended without a video was filtered. */
function standingOfVeo(body: JsonValue | undefined): UpstreamState {
  const { done, error, response } = objectOf(body);
  // `done` is absent until the end.
  if (done === undefined || done === false) return { state: 'pending' };
  if (done !== true) return { state: 'unknown', word: String(done) };
  const message = failureWords(error);
  if (message !== null) return { state: 'failed', class: CLASS_OF_CODE[Number(objectOf(error).code)], message };
  const { videos, raiMediaFilteredReasons: reasons } = objectOf(response);
  const film = Array.isArray(videos) ? objectOf(videos[0]).bytesBase64Encoded : undefined;
  if (typeof film === 'string') return { state: 'succeeded', delivery: deliverBytes([Buffer.from(film, 'base64')]) };
  const why = Array.isArray(reasons) ? reasons.join(' ') : '';
  return {
    state: 'failed',
    class: 'content_policy',
    message: why === '' ? 'it ended without a film: it was filtered' : why,
  };
}

interface Handle extends JsonObject {
  /** `projects/…/locations/…/publishers/google/models/…/operations/…` */
  readonly operation: string;
}

const TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 10;

/**
 * Creates the engine for Veo at Vertex AI. No bucket is named, so the video comes inside the last answer
 * (docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation, 2026-11-21).
 */
export function createVeoEngine(settings: VertexSettings, tokens: AccessTokens): Engine {
  const api = createVertexApi(settings, tokens, TIMEOUT_MS);
  return createSubmitPollEngine<Handle>(
    {
      name: 'vertex',
      concurrency: CONCURRENCY,
      timeoutMs: api.timeoutMs,
      secrets: [settings.account.privateKey],
      handOver: transferToGoogle,
      async submit({ model, input }, { signal }) {
        const json = withMedia(input, (bytesBase64Encoded, mimeType) => ({ bytesBase64Encoded, mimeType }));
        const url = `${api.pathOf(model)}:predictLongRunning`;
        const answer = await api.call({ method: 'POST', url, json, signal, orders: true });
        const { name } = objectOf(answer.body);
        if (typeof name === 'string' && name.includes('/operations/')) return { operation: name };
        return api.unmade(answer, 'took the order but named no handle');
      },
      async check({ operation }, { signal }) {
        const url = `${api.urlOf(operation.replace(/\/operations\/.*$/, ''))}:fetchPredictOperation`;
        const json = { operationName: operation };
        const { status, body } = await api.call({ method: 'POST', url, json, signal, accept: [404] });
        return status === 404 ? { state: 'gone' } : standingOfVeo(body);
      },
      jobOf: ({ operation }) => operation,
      probe: () =>
        probeBy(async () => {
          await tokens.get();
          return 'Google accepts the service account; the first order shows if it may use Vertex AI';
        }),
      // Vertex AI's list lacks models that it makes (github.com/googleapis/python-genai/issues/679).
      models: ({ signal }, asked) => namesFound(api, asked, (model) => `/publishers/google/models/${model}`, signal),
    },
    settings,
  );
}
