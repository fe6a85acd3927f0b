import type { JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { EngineError } from '../engine.ts';
import { explainGoogleError, MAX_ANSWER_BYTES } from '../google/google-api.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import type { EngineTools } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { ServiceAccount } from './service-account.ts';

export interface VertexAccess {
  readonly account: ServiceAccount;
  /** The location: `global`, a multi-region such as `eu`, or a region such as `us-central1`. */
  readonly location: string;
  /** The endpoint's URL; null = Google's own of the location. */
  readonly url: string | null;
}
export type VertexSettings = EngineTools & VertexAccess & { readonly fetch: TrustedFetch };

interface VertexApi extends Upstream {
  /** Returns the path of a model of Google's. */
  pathOf(model: string): string;
  /** Returns the path or URL of a resource of any location: a running order stays where it was submitted. */
  urlOf(resource: string): string;
}

/** Locations whose endpoints have another form (@google/genai 3.1.0). */
const MULTI_REGIONS = ['us', 'eu'];

function hostOf(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com';
  return MULTI_REGIONS.includes(location)
    ? `https://aiplatform.${location}.rep.googleapis.com`
    : `https://${location}-aiplatform.googleapis.com`;
}

/** Creates calls to Vertex AI (Gemini Enterprise Agent Platform), signed in as the service account. */
export function createVertexApi(settings: VertexSettings, tokens: AccessTokens, timeoutMs: number): VertexApi {
  const { account, location, url, fetch } = settings;
  const api = createUpstream({
    name: 'Vertex AI',
    baseUrl: `${(url ?? hostOf(location)).replace(/\/+$/, '')}/v1`,
    headers: {},
    secrets: [account.privateKey],
    fetch,
    explain: explainVertexError,
    timeoutMs: settings.callTimeoutMs ?? timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });

  async function tokenFor(orders: boolean): Promise<string> {
    try {
      return await tokens.get();
    } catch (error) {
      if (!(error instanceof EngineError) || !orders) throw error;
      const { class: errorClass, message, retryAfterMs } = error;
      const retry = retryAfterMs === null ? {} : { retryAfterMs };
      throw new EngineError(errorClass, message, { took: 'no', cause: error, ...retry });
    }
  }

  return {
    ...api,
    async call(request) {
      const callAs = (token: string, accept: readonly number[]) =>
        api.call({ ...request, accept, headers: { ...request.headers, authorization: `Bearer ${token}` } });
      const { orders = false, accept = [] } = request;
      const token = await tokenFor(orders);
      // A token can expire early. A refused call ordered nothing.
      const answer = await callAs(token, [...accept, 401]);
      if (answer.status !== 401) return answer;
      tokens.forget(token);
      return await callAs(await tokenFor(orders), accept);
    },
    pathOf: (model) => `/projects/${account.project}/locations/${location}/publishers/google/models/${model}`,
    urlOf(resource) {
      const [, place] = /^projects\/[^/]+\/locations\/([a-z0-9-]+)\//.exec(resource) ?? [];
      return url === null && place !== undefined ? `${hostOf(place)}/v1/${resource}` : `/${resource}`;
    },
  };
}

/**
 * Reads Google's errors (docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/api-errors, 2026-11-21).
 * Unlike the Gemini API's, its pages do not say that nothing was made after `UNAVAILABLE`. An overload is a 429.
 */
function explainVertexError(answer: Answer): Explained | null {
  const explanation = explainGoogleError(answer);
  if (explanation === null) return null;
  const { refused: _, ...explained } = explanation;
  const { status, details } = objectOf(objectOf(answer.body).error);
  const reasons = Array.isArray(details) ? details.map((detail: JsonValue) => objectOf(detail).reason) : [];
  if (reasons.includes('BILLING_DISABLED')) return { ...explained, class: 'billing' };
  // The project may not use this model.
  if (status === 'FAILED_PRECONDITION') return { ...explained, class: 'auth', scope: 'route' };
  return explained;
}
