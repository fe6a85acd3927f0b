import type { JsonValue } from '@darkroom-service/contract';
import { EngineError, type EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { createReferenceTransfer, type ReferenceTransfer } from '../upstream/reference-transfer.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

const API_URL = 'https://dashscope-intl.aliyuncs.com/api/v1';
/** Pictures may be inlined, up to 20 MB each; videos, sounds and files are fetched (DashScope's pages, 2026-11-21). */
const INLINE = { inline: 10_000_000, inlineTogether: 20_000_000 };
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
const CLASS_OF_CODE: readonly (readonly [RegExp, EngineErrorClass])[] = [
  [/^DataInspectionFailed|Content.*Inspect/i, 'content_policy'],
  [/^(Arrearage|BudgetLimitExceeded|PostpaidBillOverdue|Throttling\.AllocationQuota|AllocationQuota)/, 'billing'],
  [/^(InvalidApiKey|AccessDenied|Model\.AccessDenied|ModelNotFound)/, 'auth'],
  [/^Throttling/, 'rate_limited'],
  [/^(InvalidParameter|InvalidURL|BadRequest)/, 'invalid_input'],
  [/^InternalError\.Timeout/, 'timeout'],
];
const MODEL_CODES = /^(Model\.AccessDenied|ModelNotFound|AccessDenied\.Unpurchased)/;

/** Creates calls to Alibaba's DashScope. */
export function createDashscope(settings: VendorSettings, timeoutMs: number): Upstream {
  const { key, fetch } = settings;
  return createUpstream({
    name: 'DashScope',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainDashscopeError,
    timeoutMs: settings.callTimeoutMs ?? timeoutMs,
  });
}

export function transferToDashscope({ pictures }: Pick<VendorSettings, 'pictures'>): ReferenceTransfer {
  const inside = createReferenceTransfer({
    pictures: { types: PICTURES, tools: pictures },
    ...INLINE,
    byAddress: true,
  });
  const byAddress = createReferenceTransfer({ inline: 0, byAddress: true });
  return (media, signal, count) => (media.kind === 'image' ? inside : byAddress)(media, signal, count);
}

export function classOfDashscopeCode(code: string): EngineErrorClass | undefined {
  return CLASS_OF_CODE.find(([pattern]) => pattern.test(code))?.[1];
}

/** Reads `{ code, message, request_id }`. */
function explainDashscopeError({ body }: Answer): Explained | null {
  const { code, message } = objectOf(body);
  if (typeof message !== 'string') return null;
  const known = classOfDashscopeCode(String(code));
  return {
    message,
    ...(known === undefined ? {} : { class: known }),
    ...(MODEL_CODES.test(String(code)) ? { scope: 'route' } : {}),
  };
}

/** Path of a task that does not exist: the answer is 200 with `UNKNOWN`. */
export const PROBE = '/tasks/00000000-0000-0000-0000-000000000000';

/** Returns the path of the models with an exact id (alibabacloud.com/help/en/model-studio/list-models, 2026-09-28). */
export function pathOfModel(model: string): string {
  return `/models?model=${encodeURIComponent(model)}`;
}

/**
 * Tells whether the narrowed list has the model.
 * @throws EngineError if it is no list
 */
export function hasModel(body: JsonValue | undefined, model: string): boolean {
  const { models } = objectOf(objectOf(body).output);
  if (!Array.isArray(models))
    throw new EngineError('upstream', 'DashScope answered no list of models', { took: 'yes' });
  return models.some((entry) => objectOf(entry).model === model);
}
