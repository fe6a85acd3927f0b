import type { TrustedFetch } from '@darkroom-service/media';
import type { CallContext, EngineErrorClass } from '../engine.ts';
import type { Probed } from '../probed.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { assertAccepted, probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { createReferenceTransfer, type ReferenceTransfer } from '../upstream/reference-transfer.ts';
import type { EngineTools } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream, type UpstreamSettings } from '../upstream/upstream-call.ts';

export interface ArkSettings extends EngineTools {
  /** `ARK_API_KEY`. */
  readonly key: string;
  /** The endpoint's URL; null = the international one. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
}

const API_URL = 'https://ark.ap-southeast.bytepluses.com/api/v3';
/** Patterns of error codes and their class. For other codes the HTTP status decides. */
const CLASS_OF_CODE: readonly (readonly [RegExp, EngineErrorClass])[] = [
  [/SensitiveContent|RiskDetection/, 'content_policy'],
  [/^(AuthenticationError|AccessDenied|ModelNotOpen|InvalidEndpointOrModel)/, 'auth'],
  [/^(AccountOverdueError|QuotaExceeded|SetLimitExceeded)/, 'billing'],
  [/^(ServerOverloaded|ModelLoadingError)/, 'busy'],
  [/RateLimitExceeded/, 'rate_limited'],
  [/^(MissingParameter|InvalidParameter)/, 'invalid_input'],
];
/** Codes of errors that concern a single model. */
const MODEL_CODES = /^(ModelNotOpen|InvalidEndpointOrModel)/;

/** Creates calls to ByteDance's model platform, ModelArk. */
export function createArk(settings: ArkSettings, limits: Pick<UpstreamSettings, 'timeoutMs'>): Upstream {
  const { key, fetch } = settings;
  return createUpstream({
    name: 'ByteDance',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainArkError,
    timeoutMs: settings.callTimeoutMs ?? limits.timeoutMs,
  });
}

/** Not verified against the live service: the maximum bytes of one inlined picture, and of all of an order. */
const UNVERIFIED = { inline: 10_000_000, inlineTogether: 40_000_000 };
/** Pictures are inlined in the order; videos and sounds are fetched from a URL. */
const inside = createReferenceTransfer({ ...UNVERIFIED, byAddress: true });
const byAddress = createReferenceTransfer({ inline: 0, byAddress: true });
export const transferToArk: ReferenceTransfer = (media, signal, count) =>
  media.kind === 'image' ? inside(media, signal, count) : byAddress(media, signal, count);

export function classOfArkCode(code: string): EngineErrorClass | undefined {
  return CLASS_OF_CODE.find(([pattern]) => pattern.test(code))?.[1];
}

/** Reads `{ error: { code, message, param, type } }`; null: the HTTP status decides. */
function explainArkError({ body }: Answer): Explained | null {
  const { code, message } = objectOf(objectOf(body).error);
  if (typeof message !== 'string') return null;
  const known = classOfArkCode(String(code));
  return {
    message,
    ...(known === undefined ? {} : { class: known }),
    ...(MODEL_CODES.test(String(code)) ? { scope: 'route' } : {}),
  };
}

/** Lists tasks, which is free. */
export function probeArk(ark: Upstream, { signal }: CallContext): Promise<Probed> {
  return probeBy(async () => {
    assertAccepted(ark, await ark.call({ url: '/contents/generations/tasks?page_num=1&page_size=1', signal }), {
      has: ['items'],
    });
    return 'ByteDance accepts the key';
  });
}
