import type { JsonObject } from '@darkroom-service/contract/json';
import { type Engine, EngineError } from '../engine.ts';
import { handOverToGoogle, withMedia } from '../google/google-api.ts';
import { objectOf } from '../upstream/json-object.ts';
import { createSubmitPollEngine } from '../upstream/submit-poll-engine.ts';
import type { AccessTokens } from './access-tokens.ts';
import { standingOfVeo } from './veo-standing.ts';
import { createVertexApi, type VertexSettings } from './vertex-api.ts';

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
      handOver: handOverToGoogle,
      async submit({ model, input }, { signal }) {
        const json = withMedia(input, (bytesBase64Encoded, mimeType) => ({ bytesBase64Encoded, mimeType }));
        const url = `${api.pathOf(model)}:predictLongRunning`;
        const { body } = await api.call({ method: 'POST', url, json, signal, orders: true });
        const { name } = objectOf(body);
        if (typeof name === 'string' && name.includes('/operations/')) return { operation: name };
        throw new EngineError('upstream', 'Vertex AI took the order but named no handle', { took: 'unknown' });
      },
      async check({ operation }, { signal }) {
        const url = `${api.urlOf(operation.replace(/\/operations\/.*$/, ''))}:fetchPredictOperation`;
        const json = { operationName: operation };
        const { status, body } = await api.call({ method: 'POST', url, json, signal, accept: [404] });
        return status === 404 ? { state: 'gone' } : standingOfVeo(body);
      },
      jobOf: ({ operation }) => operation,
      async probe() {
        try {
          await tokens.get();
          const message = 'Google accepts the service account; the first order shows if it may use Vertex AI';
          return { ok: true, message };
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          return { ok: false, message: error.message };
        }
      },
    },
    settings,
  );
}
