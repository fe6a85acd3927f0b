import { Type } from 'typebox';
import type { OrderingKey } from '../accounts/api-key.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { spentIn } from '../accounts/spend-limits.ts';
import { heldBy, listLedger, readUsage, USAGE_GROUPS, type UsageGroup, type UsageScope } from '../accounts/usage.ts';
import { isoTime } from '../base/clock.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { Desk } from '../tasks/desk.ts';
import { callerOf } from './authenticate.ts';
import { envelopeOf, success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { ErrorAnswer, refTo } from './schemas.ts';
import { Limit, readTime } from './task-query.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const LONGEST_DAYS = 366;
const tags = ['Account'];
const closed = { additionalProperties: false } as const;
const Scope = Type.Optional(
  Type.Enum(['key', 'account'], { default: 'key', description: 'account needs a key made with --account-view' }),
);

const UsageQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({ format: 'date-time', description: 'a date or time; by default 30 days before to' }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date-time', description: 'a date or time, itself excluded; by default now' }),
    ),
    group_by: Type.Optional(
      Type.String({ description: `one or several of ${USAGE_GROUPS.join(', ')}, comma-separated` }),
    ),
    timing: Type.Optional(
      Type.Enum(['true', 'false'], { default: 'false', description: 'also how long results took, as seconds' }),
    ),
    scope: Scope,
  },
  closed,
);

const LedgerQuery = Type.Object(
  {
    limit: Limit,
    after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'an entry_id: older entries' })),
    scope: Scope,
  },
  closed,
);

const UsageAnswer = Type.Object({
  from: Type.String({ format: 'date-time' }),
  to: Type.String({ format: 'date-time' }),
  group_by: Type.Array(Type.Enum(USAGE_GROUPS)),
  scope: Type.Enum(['key', 'account']),
  items: Type.Array(refTo('UsageRow')),
});
const LedgerAnswer = Type.Object({
  items: Type.Array(refTo('LedgerEntry')),
  limit: Type.Integer(),
  scope: Type.Enum(['key', 'account']),
  has_more: Type.Boolean(),
});

/** What the calling key and its account have, spend and may spend. */
export function accountRoutes(v1: App, { desk }: HttpOptions): void {
  const session = desk.database.read;

  v1.get(
    '/v1/account',
    {
      schema: {
        tags,
        summary: 'Balance and limits',
        querystring: Type.Object({}, closed),
        response: { 200: envelopeOf(refTo('Account')), ...ErrorAnswer },
      },
    },
    async (request) => success(await describeAccount(desk, callerOf(request))),
  );

  v1.get(
    '/v1/account/usage',
    {
      schema: {
        tags,
        summary: 'Tasks and what they cost',
        querystring: UsageQuery,
        response: { 200: envelopeOf(UsageAnswer), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = callerOf(request);
      const scope = scopeOf(key, request.query.scope);
      const { from, to } = readSpan(request.query, desk.clock.now());
      const groupBy = readGroups(request.query.group_by);
      const items = await readUsage(session, key, {
        from,
        to,
        groupBy,
        scope,
        timing: request.query.timing === 'true',
      });
      return success({ from: isoTime(from), to: isoTime(to), group_by: groupBy, scope, items });
    },
  );

  v1.get(
    '/v1/account/ledger',
    {
      schema: {
        tags,
        summary: 'Entries of the ledger, newest first',
        querystring: LedgerQuery,
        response: { 200: envelopeOf(LedgerAnswer), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = callerOf(request);
      const { limit = 20, after } = request.query;
      const scope = scopeOf(key, request.query.scope);
      const page = await listLedger(session, key, { limit, after: after === undefined ? null : Number(after), scope });
      return success({ items: page.items, limit, scope, has_more: page.hasMore });
    },
  );
}

async function describeAccount(desk: Desk, key: OrderingKey) {
  const session = desk.database.read;
  const { account } = key;
  const now = desk.clock.now();
  const spending = async (window: 'day' | 'month' | 'total', limit: Micros | null) =>
    limit === null
      ? null
      : { limit: formatMicros(limit), spent: formatMicros(await spentIn(session, key.id, window, now)) };
  return {
    account_id: account.id,
    name: account.name,
    mode: key.mode,
    currency: 'USD',
    balance: formatMicros(await balanceOf(session, account.id, key.mode)),
    held: formatMicros(await heldBy(session, key)),
    // Test orders are paid from a ledger of their own, which has no limit.
    credit_limit: key.mode === 'test' || account.creditLimit === null ? null : formatMicros(account.creditLimit),
    key: {
      key_id: key.id,
      name: key.name,
      expires_at: isoTime(key.expiresAt),
      models: key.models,
      rpm: key.createsPerMinute,
      read_rpm: key.readsPerMinute,
      concurrency: key.concurrency,
      queue: key.queueLimit,
      account_view: key.accountView,
      spend_limits: {
        day: await spending('day', key.spendLimits.day),
        month: await spending('month', key.spendLimits.month),
        total: await spending('total', key.spendLimits.total),
      },
    },
  };
}

function scopeOf(key: OrderingKey, scope: UsageScope | undefined): UsageScope {
  if (scope === 'account' && !key.accountView) {
    throw new ServiceError(
      'forbidden',
      'This key sees only its own spending. scope=account needs a key made with --account-view.',
      { param: 'scope' },
    );
  }
  return scope ?? 'key';
}

function readSpan(query: { readonly from?: string; readonly to?: string }, now: number) {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => {
    faults.push({ param, code: 'invalid_request', message });
    return null;
  };
  const to = readTime(query.to, 'to', fault) ?? now + 1;
  const from = readTime(query.from, 'from', fault) ?? to - DEFAULT_DAYS * DAY_MS;
  if (faults.length === 0 && !(from < to)) fault('from', "'from' must lie before 'to'.");
  if (to - from > LONGEST_DAYS * DAY_MS) fault('from', `'from' and 'to' may lie at most ${LONGEST_DAYS} days apart.`);
  if (faults.length > 0) throw errorFromFaults(faults);
  return { from, to };
}

function readGroups(text: string | undefined): UsageGroup[] {
  const words = text === undefined ? [] : [...new Set(text.split(',').map((word) => word.trim()))];
  return words.map((word) => {
    const group = USAGE_GROUPS.find((known) => known === word);
    if (group !== undefined) return group;
    throw new ServiceError(
      'invalid_request',
      `'group_by' takes ${USAGE_GROUPS.join(', ')}, found '${word.slice(0, 40)}'.`,
      { param: 'group_by' },
    );
  });
}
