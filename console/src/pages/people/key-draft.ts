import type { RequestOf } from '../../api/operations.ts';
import type { KeyRow } from './rows.ts';

type Amount = number | string;
export type Windows = Readonly<Record<'day' | 'month' | 'total', Amount>>;
type Settings = Omit<NonNullable<RequestOf<'POST /admin/v1/keys'>['body']>, 'mode' | 'account_id'>;

/** The settings of a key as the form holds them. */
export interface KeyDraft {
  readonly name: string;
  /** Local time as `datetime-local` has it; empty = never. */
  readonly expires: string;
  readonly models: string;
  readonly spend: Windows;
  readonly endUser: Windows;
  readonly rpm: Amount;
  readonly readRpm: Amount;
  readonly concurrency: Amount;
  readonly queue: Amount;
  readonly approveOver: Amount;
  readonly accountView: boolean;
}

const NO_LIMITS: Windows = { day: '', month: '', total: '' };

export const BLANK: KeyDraft = {
  name: '',
  expires: '',
  models: '',
  spend: NO_LIMITS,
  endUser: NO_LIMITS,
  rpm: 0,
  readRpm: 3_000,
  concurrency: 0,
  queue: 10_000,
  approveOver: '',
  accountView: false,
};

export function draftOf(row: KeyRow): KeyDraft {
  const windows = ({ day, month, total }: KeyRow['spend_limits']): Windows => ({
    day: day ?? '',
    month: month ?? '',
    total: total ?? '',
  });
  return {
    name: row.name,
    expires: row.expires_at === null ? '' : localTime(new Date(row.expires_at)),
    models: row.models.join(', '),
    spend: windows(row.spend_limits),
    endUser: windows(row.end_user_limits),
    rpm: row.rpm,
    readRpm: row.read_rpm,
    concurrency: row.concurrency,
    queue: row.queue,
    approveOver: row.approve_over ?? '',
    accountView: row.account_view,
  };
}

/** The settings of a draft. @param isAdmin admin keys order nothing: they have a name and an expiry only */
export function settingsOf(draft: KeyDraft, isAdmin: boolean): Settings {
  const name = draft.name.trim();
  const base = {
    ...(name === '' ? {} : { name }),
    expires_at: draft.expires === '' ? null : new Date(draft.expires).toISOString(),
  };
  if (isAdmin) return base;
  return {
    ...base,
    models: draft.models.trim() === '' ? null : patternsOf(draft.models),
    rpm: countOf(draft.rpm),
    read_rpm: countOf(draft.readRpm),
    concurrency: countOf(draft.concurrency),
    queue: countOf(draft.queue),
    spend_limits: limitsOf(draft.spend),
    end_user_limits: limitsOf(draft.endUser),
    account_view: draft.accountView,
    approve_over: amountOf(draft.approveOver),
  };
}

/** The settings that the draft changes in a key; empty = none. */
export function changesOf(draft: KeyDraft, row: KeyRow): Settings {
  const isAdmin = row.mode === 'admin';
  const before: Readonly<Record<string, unknown>> = settingsOf(draftOf(row), isAdmin);
  const changed = Object.entries(settingsOf(draft, isAdmin)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed);
}

/** `"flux-*, sketch"` -> `['flux-*', 'sketch']` */
export function patternsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** The limits of an interface, of those of a form. */
export function limitsOf({ day, month, total }: Windows) {
  return { day: amountOf(day), month: amountOf(month), total: amountOf(total) };
}

function amountOf(amount: Amount): string | null {
  return amount === '' ? null : String(amount);
}

function countOf(count: Amount): number {
  return count === '' ? 0 : Number(count);
}

/** `2026-11-20T14:05` in the reader's time zone. */
function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
