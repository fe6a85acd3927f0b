import type { DataOf, RequestOf } from '../../api/operations.ts';
import type { useDraft } from '../../components/use-draft.ts';

export type KeyRow = DataOf<'GET /admin/v1/keys'>['items'][number];
type Amount = number | string;
export type Windows = Readonly<Record<'day' | 'month' | 'total', Amount>>;
type Settings = Omit<NonNullable<RequestOf<'POST /admin/v1/keys'>['body']>, 'mode' | 'account_id'>;
type Given = Pick<KeyRow, keyof typeof NEW>;
/** The settings of a key in the form; an absent limit is empty. */
export type KeyDraft = ReturnType<typeof draftOf>;
export type KeyField = ReturnType<typeof useDraft<KeyDraft>>['field'];

const NO_LIMITS = { day: null, month: null, total: null };
/** Default settings of a new key. */
export const NEW = {
  name: '',
  expires_at: null,
  models: [],
  spend_limits: NO_LIMITS,
  end_user_limits: NO_LIMITS,
  timezone: 'UTC',
  rpm: 0,
  read_rpm: 3_000,
  concurrency: 0,
  queue: 10_000,
  approve_over: null,
  account_view: false,
};

export function draftOf(key: Given) {
  return {
    name: key.name,
    /** Local time in the format of `datetime-local`; empty = never. */
    expires_at: key.expires_at === null ? '' : localTime(new Date(key.expires_at)),
    models: key.models.join(', '),
    spend_limits: windowsOf(key.spend_limits),
    end_user_limits: windowsOf(key.end_user_limits),
    timezone: key.timezone,
    rpm: key.rpm as Amount,
    read_rpm: key.read_rpm as Amount,
    concurrency: key.concurrency as Amount,
    queue: key.queue as Amount,
    approve_over: (key.approve_over ?? '') as Amount,
    account_view: key.account_view,
  };
}

/** Returns the settings of a draft. @param isAdmin admin keys order nothing: they have only a name and an expiry */
export function settingsOf(draft: KeyDraft, isAdmin: boolean): Settings {
  const name = draft.name.trim();
  const base = {
    ...(name === '' ? {} : { name }),
    expires_at: draft.expires_at === '' ? null : new Date(draft.expires_at).toISOString(),
  };
  if (isAdmin) return base;
  return {
    ...base,
    models: draft.models.trim() === '' ? null : patternsOf(draft.models),
    rpm: Number(draft.rpm),
    read_rpm: Number(draft.read_rpm),
    concurrency: Number(draft.concurrency),
    queue: Number(draft.queue),
    spend_limits: limitsOf(draft.spend_limits),
    end_user_limits: limitsOf(draft.end_user_limits),
    timezone: zoneOf(draft.timezone) ?? 'UTC',
    account_view: draft.account_view,
    approve_over: amountOf(draft.approve_over),
  };
}

/** Returns the settings that the draft changes in a key; empty = none. */
export function changesOf(draft: KeyDraft, row: KeyRow): Settings {
  const isAdmin = row.mode === 'admin';
  const before: Readonly<Record<string, unknown>> = settingsOf(draftOf(row), isAdmin);
  const changed = Object.entries(settingsOf(draft, isAdmin)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed);
}

/** Parses `"flux-*, sketch"` to `['flux-*', 'sketch']`. */
export function patternsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** Converts the limits of the API to a form's. */
export function windowsOf({ day, month, total }: Partial<KeyRow['spend_limits']>): Windows {
  return { day: day ?? '', month: month ?? '', total: total ?? '' };
}

/** Converts the limits of a form to the API's. */
export function limitsOf({ day, month, total }: Windows) {
  return { day: amountOf(day), month: amountOf(month), total: amountOf(total) };
}

/** Returns the time zone of a form; undefined = empty. */
export function zoneOf(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

function amountOf(amount: Amount): string | null {
  return amount === '' ? null : String(amount);
}

/** Formats a time as `2026-11-20T14:05` in the reader's time zone. */
function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
