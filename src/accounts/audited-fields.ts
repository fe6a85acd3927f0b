import type { JsonObject, JsonValue } from '@darkroom-service/contract';

/**
 * The fields that the audit log shows, at any depth. The value of every other field is masked, so a new field stays
 * masked until it is added here. No field listed here may hold a secret.
 */
const SHOWN: ReadonlySet<string> = new Set([
  // Ids, names and what people write about a change.
  'account_id',
  'credit_id',
  'engine',
  'key_id',
  'name',
  'subject',
  'task_id',
  'upstream_key_id',
  'message',
  'note',
  'reason',
  'resolution',
  // Of people.
  'by',
  'email',
  'instead_of',
  'kind',
  'role',
  'sessions',
  // Of keys and end users.
  'account_view',
  'approve_over',
  'expires_at',
  'grace_seconds',
  'mode',
  'previous_until',
  'revoked_at',
  'concurrency',
  'models',
  'queue',
  'read_rpm',
  'rpm',
  'unreachable_tasks',
  'end_user_limits',
  'limits',
  'spend_limits',
  'day',
  'month',
  'total',
  'timezone',
  // Of accounts.
  'amount',
  'credit_limit',
  'hidden_models',
  'multiplier',
  'price_rules',
  'prompt',
  'setting',
  'test_webhook_url',
  'webhook_url',
  // Of keys at upstreams and buckets: the end of an id, never of a secret.
  'bucket',
  'default',
  'last_four',
  'region',
  'replaced',
  // Of the service.
  'as',
  'dropsWebhooks',
  'held',
  'paused',
  'retired',
  'version',
  'accept_licence',
  'accept_unverified',
  'build',
  'bytes',
  'ignore_memory',
  'seconds',
  'accounts',
  'days',
  'kept',
  'orders',
  'shortened',
  'uploads',
  // Of the entry itself.
  'after',
  'before',
]);

/** Fields with a URL: only its origin is shown, because its path or query may be a secret. */
const URLS: ReadonlySet<string> = new Set(['test_webhook_url', 'webhook_url']);

const MASKED = '[masked]';
/** Secrets of this service, which somebody may have pasted into a text. */
const OWN_SECRET = /\b(dk_(?:live|test|admin|client)_|whsec_)[\w+/=.-]+/g;

/** Returns the part of some fields that the audit log may show. */
export function shownFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shownValue(name, value)]));
}

/** Returns the fields that differ, before and after, in the order of `after`; null if none does. */
export function differenceOf<T extends object>(
  before: T,
  after: T,
): { readonly before: JsonObject; readonly after: JsonObject } | null {
  const fields = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (fields.length === 0) return null;
  const pick = (from: T) => Object.fromEntries(fields.map((field) => [field, from[field] ?? null])) as JsonObject;
  return { before: pick(before), after: pick(after) };
}

function shownValue(name: string, value: JsonValue): JsonValue {
  if (value === null) return null;
  if (!SHOWN.has(name)) return MASKED;
  if (Array.isArray(value)) return value.map((one) => shownValue(name, one));
  if (typeof value === 'object') return shownFields(value as JsonObject);
  if (typeof value !== 'string') return value;
  return URLS.has(name) ? originOf(value) : withoutOwnSecrets(value);
}

/** Masks secrets of this service in a text. */
export function withoutOwnSecrets(text: string): string {
  return text.replace(OWN_SECRET, `$1${MASKED}`);
}

function originOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return MASKED;
  const isWhole = parsed.pathname === '/' && parsed.search === '' && parsed.hash === '';
  return isWhole && parsed.username === '' && parsed.password === '' ? parsed.origin : `${parsed.origin}/${MASKED}`;
}
