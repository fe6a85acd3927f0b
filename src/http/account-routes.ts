import {
  formatMicros,
  idPattern,
  isoTime,
  type Micros,
  type OwnAccountView,
  ServiceError,
} from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { Account, ErrorAnswer, envelopeOf, LedgerPage, Limit, success } from '@darkroom-service/contract/schemas';
import { Type } from 'typebox';
import type { OrderingKey } from '../accounts/api-key.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { findEntry, type LedgerCursor, listLedger } from '../accounts/list-ledger.ts';
import { heldBy } from '../accounts/report-scope.ts';
import { spentByKey } from '../accounts/spend-limits.ts';
import { storedBytesOf } from '../accounts/stored-bytes.ts';
import { viewSuspension } from '../installation/suspension.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { callerOf } from './authenticate.ts';
import type { App, HttpOptions } from './http-options.ts';
import { Scope, scopeOf } from './report-query.ts';

const tags = ['Account'];
const LedgerQuery = closedObject({
  limit: Limit,
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: `^${idPattern('[a-z]{3}')}_[a-z]{4,10}$`,
      description: 'an entry_id: older entries',
    }),
  ),
  scope: Scope,
});

/** Serves the balance, the spending and the limits of the calling key and its account. */
export function accountRoutes(v1: App, { services, approveOver, hold }: HttpOptions): void {
  const session = services.database.read;

  v1.get(
    '/v1/account',
    {
      schema: {
        tags,
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(Account)), ...ErrorAnswer },
      },
    },
    async (request) =>
      success({
        ...(await describeAccount(services, callerOf(request), approveOver)),
        service: viewSuspension(hold.suspension),
      }),
  );

  v1.get(
    '/v1/account/ledger',
    {
      schema: {
        tags,
        querystring: LedgerQuery,
        response: { 200: envelopeOf(LedgerPage), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = callerOf(request);
      const { limit = 20 } = request.query;
      const scope = scopeOf(key, request.query.scope);
      const after = await readCursor(services, key, request.query.after);
      const page = await listLedger(session, key, { limit, after, scope });
      return success({ items: page.items, limit, scope, has_more: page.hasMore });
    },
  );
}

async function describeAccount(
  services: Pick<TaskServices, 'clock' | 'database' | 'hooks' | 'settings'>,
  key: OrderingKey,
  approveOver: Micros | null,
): Promise<Omit<OwnAccountView, 'service'>> {
  const session = services.database.read;
  const { account } = key;
  const askedOver = key.approveOver ?? approveOver;
  const now = services.clock.now();
  const spending = async (window: 'day' | 'month' | 'total', limit: Micros | null) =>
    limit === null
      ? null
      : {
          limit: formatMicros(limit),
          spent: formatMicros(await spentByKey(session, services.hooks, key, window, now)),
        };
  const [balance, held, storedBytes, day, month, total] = await Promise.all([
    balanceOf(session, account.id, key.mode),
    heldBy(session, key, services.hooks),
    storedBytesOf(session, key.id),
    spending('day', key.spendLimits.day),
    spending('month', key.spendLimits.month),
    spending('total', key.spendLimits.total),
  ]);
  return {
    account_id: account.id,
    name: account.name,
    mode: key.mode,
    currency: 'USD',
    balance: formatMicros(balance),
    held: formatMicros(held),
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
      approve_over: askedOver === null ? null : formatMicros(askedOver),
      stored_bytes: storedBytes,
      stored_bytes_limit: services.settings.storageLimits.key,
      end_user_stored_bytes_limit: services.settings.storageLimits.endUser,
      spend_limits: { day, month, total },
      end_user_limits: {
        day: formatLimit(key.endUserLimits.day),
        month: formatLimit(key.endUserLimits.month),
        total: formatLimit(key.endUserLimits.total),
      },
      timezone: key.timezone,
    },
  };
}

function formatLimit(limit: Micros | null): string | null {
  return limit === null ? null : formatMicros(limit);
}

async function readCursor(
  { database }: Pick<TaskServices, 'database'>,
  key: OrderingKey,
  after: string | undefined,
): Promise<LedgerCursor | null> {
  if (after === undefined) return null;
  const found = await findEntry(database.read, key, after);
  if (found !== null) return found;
  throw new ServiceError(
    'invalid_request',
    `'after' must be the entry_id of an entry of this ledger; found '${after}'.`,
    {
      param: 'after',
    },
  );
}
