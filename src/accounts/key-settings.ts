import {
  cutText,
  type Fault,
  formatMicros,
  given,
  isoTime,
  isTimeZone,
  type KeyView,
  type Micros,
  MODEL_GLOB,
  type SpendWindow,
  unknownTimeZone,
} from '@darkroom-service/contract';
import type { Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { modelsOf } from './account-json.ts';

/** Settings of a key that an operator can set at any time. */
export interface KeySettings {
  readonly name?: string;
  /** Milliseconds since 1970 UTC; null = never. */
  readonly expiresAt?: number | null;
  /** Glob patterns; empty = every model. */
  readonly models?: readonly string[];
  /** Creates per minute; 0 = no limit, as for the other limits of the key. */
  readonly createsPerMinute?: number;
  readonly readsPerMinute?: number;
  readonly concurrency?: number;
  readonly queueLimit?: number;
  /** Micro-dollars; null or 0 = no limit. */
  readonly spendLimits?: LimitPatch;
  /** The limits of each end user who has no own limits. Micro-dollars; null or 0 = no limit. */
  readonly endUserLimits?: LimitPatch;
  /** The time zone of the days and months of all these limits: an IANA name. */
  readonly timezone?: string;
  readonly accountView?: boolean;
  /** Micro-dollars above which a person must agree to an order through MCP; null = the operator's setting. */
  readonly approveOver?: Micros | null;
}

/** Limits per window; absent windows stay as they are. */
export type LimitPatch = { readonly [window in SpendWindow]?: Micros | null };

export type KeyRow = Selectable<Schema['api_keys']>;
/** The columns that hold settings. */
type SettingColumns = Pick<KeyRow, 'name' | keyof typeof DEFAULT_COLUMNS>;

const GLOB = new RegExp(`^${MODEL_GLOB}$`);

/** The settings of a new key that has been given none. */
export const DEFAULT_COLUMNS = {
  expires_at: null,
  models_json: '[]',
  rpm: 0,
  read_rpm: 3000,
  concurrency: 0,
  queue_limit: 10_000,
  spend_day: null,
  spend_month: null,
  spend_total: null,
  end_user_day: null,
  end_user_month: null,
  end_user_total: null,
  timezone: null,
  account_view: 0,
  approve_over: null,
} satisfies Partial<KeyRow>;

/** Returns the columns of the settings that are given. */
export function columnsOf(settings: KeySettings): Partial<SettingColumns> {
  const { spendLimits = {}, endUserLimits = {}, models, accountView } = settings;
  const columns: { [Column in keyof SettingColumns]: KeyRow[Column] | undefined } = {
    name: settings.name,
    expires_at: settings.expiresAt,
    models_json: models === undefined ? undefined : JSON.stringify(models),
    rpm: settings.createsPerMinute,
    read_rpm: settings.readsPerMinute,
    concurrency: settings.concurrency,
    queue_limit: settings.queueLimit,
    spend_day: limitOf(spendLimits.day),
    spend_month: limitOf(spendLimits.month),
    spend_total: limitOf(spendLimits.total),
    end_user_day: limitOf(endUserLimits.day),
    end_user_month: limitOf(endUserLimits.month),
    end_user_total: limitOf(endUserLimits.total),
    timezone: settings.timezone === 'UTC' ? null : settings.timezone,
    account_view: accountView === undefined ? undefined : Number(accountView),
    approve_over: settings.approveOver,
  };
  return given(columns);
}

function limitOf(amount: Micros | null | undefined): Micros | null | undefined {
  return amount === 0 ? null : amount;
}

/** Returns the faults of settings, by the names of the API. */
export function faultsOf(settings: KeySettings, now: number): Fault[] {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => faults.push({ param, code: 'invalid_request', message });
  const { name, expiresAt } = settings;
  if (name !== undefined && (name.trim() === '' || name.length > 100))
    fault('name', `'name' must have 1 to 100 characters; found ${name.length}.`);
  if (expiresAt != null && !(expiresAt > now)) fault('expires_at', `'expires_at' must be in the future.`);
  for (const [index, pattern] of (settings.models ?? []).entries()) {
    if (!GLOB.test(pattern))
      fault(`models[${index}]`, `Expected a pattern such as 'flux-*', found '${cutText(pattern, 80)}'.`);
  }
  const { timezone } = settings;
  if (timezone !== undefined && !isTimeZone(timezone)) faults.push(unknownTimeZone('timezone', timezone));
  const counts = {
    rpm: settings.createsPerMinute,
    read_rpm: settings.readsPerMinute,
    concurrency: settings.concurrency,
    queue: settings.queueLimit,
  };
  for (const [param, count] of Object.entries(counts)) {
    if (count !== undefined && (!Number.isSafeInteger(count) || count < 0 || count > 1_000_000_000))
      fault(param, `'${param}' must be a whole number from 0 (no limit) to 1000000000; found ${count}.`);
  }
  return [
    ...faults,
    ...faultsOfLimits('spend_limits', settings.spendLimits ?? {}),
    ...faultsOfLimits('end_user_limits', settings.endUserLimits ?? {}),
    ...faultsOfAmount('approve_over', settings.approveOver),
  ];
}

/** Returns a key as operators see it: without its secret. */
export function keyView(row: KeyRow): KeyView {
  const amount = (micros: Micros | null) => (micros === null ? null : formatMicros(micros));
  return {
    key_id: row.id,
    account_id: row.account_id,
    mode: row.mode,
    name: row.name,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    revoked_at: isoTime(row.revoked_at),
    previous_until: isoTime(row.previous_until),
    models: modelsOf(row),
    rpm: row.rpm,
    read_rpm: row.read_rpm,
    concurrency: row.concurrency,
    queue: row.queue_limit,
    spend_limits: { day: amount(row.spend_day), month: amount(row.spend_month), total: amount(row.spend_total) },
    end_user_limits: {
      day: amount(row.end_user_day),
      month: amount(row.end_user_month),
      total: amount(row.end_user_total),
    },
    timezone: row.timezone ?? 'UTC',
    account_view: row.account_view === 1,
    approve_over: amount(row.approve_over),
  };
}

function faultsOfLimits(param: string, limits: LimitPatch): Fault[] {
  return Object.entries(limits).flatMap(([period, amount]) => faultsOfAmount(`${param}.${period}`, amount));
}

function faultsOfAmount(param: string, amount: Micros | null | undefined): Fault[] {
  if (amount == null || (Number.isSafeInteger(amount) && amount >= 0)) return [];
  const message = `'${param}' must be an amount of dollars of at least 0; found ${showMicros(amount)}.`;
  return [{ param, code: 'invalid_request', message }];
}

function showMicros(amount: number): string {
  return Number.isSafeInteger(amount) ? formatMicros(amount) : String(amount);
}
