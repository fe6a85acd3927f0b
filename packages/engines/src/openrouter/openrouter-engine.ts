import type { Engine } from '../engine.ts';
import { readImages } from '../openai/images-answer.ts';
import { MAX_ANSWER_BYTES, TIMEOUT_MS } from '../openai/images-engine.ts';
import type { ReportedCost } from '../reported-cost.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { modelsIn } from '../upstream/listed-models.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { reportedDollars } from '../upstream/reported-cost.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

const API_URL = 'https://openrouter.ai/api/v1';
const CONCURRENCY = 20;
/**
 * Not verified against the live service: the bytes that an order may inline, and the words of a 403 for an account that
 * has to confirm something before it may use one model.
 */
const UNVERIFIED = {
  inline: { inline: 10_000_000, inlineTogether: 40_000_000 },
  oneModel: /age confirmation/i,
};
/** Documented as: no provider meets the order's needs. So none got the order. */
const REFUSALS = [503];

/** Creates the engine for OpenRouter's images API: many vendors' pictures behind one key, answered with the picture. */
export function createOpenRouterEngine(settings: VendorSettings): Engine {
  const { key, fetch } = settings;
  const upstream = createUpstream({
    name: 'OpenRouter',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainOpenRouterError,
    refusals: REFUSALS,
    timeoutMs: settings.callTimeoutMs ?? TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  return createBlockingEngine({
    name: 'openrouter',
    concurrency: CONCURRENCY,
    timeoutMs: upstream.timeoutMs,
    secrets: [key],
    handOver: createReferenceTransfer({ ...UNVERIFIED.inline, byAddress: true }),
    async generate({ model, input }, { signal }) {
      const json = { model, ...input };
      const answer = await upstream.call({ method: 'POST', url: '/images', json, signal, orders: true });
      return { ...readImages(upstream, answer), ...costIn(answer) };
    },
    probe: createFreeProbe(upstream, '/key', { has: ['data'] }),
    async models({ signal }) {
      const { body } = await upstream.call({ url: '/images/models', signal });
      return modelsIn('OpenRouter', objectOf(body).data);
    },
  });
}

/** Reads `{ error: { code, message, metadata? } }`; a moderation names its `reasons` in the metadata. */
function explainOpenRouterError({ status, body }: Answer): Explained | null {
  const { message, metadata } = objectOf(objectOf(body).error);
  if (typeof message !== 'string') return null;
  if (status === 403 && Array.isArray(objectOf(metadata).reasons)) return { class: 'content_policy', message };
  if (status === 403 && UNVERIFIED.oneModel.test(message)) return { class: 'auth', message, scope: 'route' };
  return { message };
}

/** Returns the charge in dollars. With a vendor key of the account's own, it is only OpenRouter's fee: no cost. */
function costIn({ body }: Answer): { upstreamCost?: ReportedCost } {
  const { cost, is_byok: withOwnKey } = objectOf(objectOf(body).usage);
  return withOwnKey === true ? {} : reportedDollars(cost, 0);
}
