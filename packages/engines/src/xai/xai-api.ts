import type { JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import type { CallContext } from '../engine.ts';
import type { Probed } from '../probed.ts';
import type { ReportedCost } from '../reported-cost.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { assertAccepted, probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { reportedDollars } from '../upstream/reported-cost.ts';
import type { EngineTools } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';

export interface XaiSettings extends EngineTools {
  /** `XAI_API_KEY`. */
  readonly key: string;
  /** The endpoint's URL; null = xAI's own. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
}

const API_URL = 'https://api.x.ai/v1';
/** Not verified against the live service: the maximum bytes of one inlined picture, and of all of an order. */
const UNVERIFIED = { inline: 10_000_000, inlineTogether: 40_000_000 };

/**
 * xAI's own client sends every call again after UNAVAILABLE, which is 503 over HTTP (xai-sdk 1.21.0, `client.py`).
 */
const REFUSALS = [503];

/** Creates calls to xAI. */
export function createXaiApi(settings: XaiSettings, timeoutMs: number): Upstream {
  const { key, fetch } = settings;
  return createUpstream({
    name: 'xAI',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainXaiError,
    refusals: REFUSALS,
    timeoutMs: settings.callTimeoutMs ?? timeoutMs,
  });
}

export const transferToXai = createReferenceTransfer({ ...UNVERIFIED, byAddress: true });

/**
 * Reads `{ error: { message, … } }`, `{ code, error }` or `{ error }`. A bad key is reported with 400 (docs.x.ai,
 * debugging), an exhausted balance with 403, both in words alone.
 */
function explainXaiError({ status, body }: Answer): Explained | null {
  const { error } = objectOf(body);
  const message = typeof error === 'string' ? error : objectOf(error).message;
  if (typeof message !== 'string') return null;
  return status === 404 ? { class: 'auth', message } : { message };
}

/** Lists the models, which is free. */
export function probeXai(api: Upstream, { signal }: CallContext): Promise<Probed> {
  return probeBy(async () => {
    assertAccepted(api, await api.call({ url: '/models', signal }), { has: ['data'] });
    return 'xAI accepts the key';
  });
}

/** Decimals of a tick in dollars: a ten billionth (docs.x.ai, `usage.cost_in_usd_ticks`; also @ai-sdk/xai 5.0.12). */
const DECIMALS_OF_A_TICK = 10;

/** Returns the order's cost in an answer; nothing if there is none. */
export function costIn(body: JsonValue | undefined): { upstreamCost?: ReportedCost } {
  const { cost_in_usd_ticks: ticks } = objectOf(objectOf(body).usage);
  return Number.isSafeInteger(ticks) ? reportedDollars(ticks, DECIMALS_OF_A_TICK) : {};
}
