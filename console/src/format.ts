import { locale } from './texts/locale.ts';

// How times, counts and sizes are written throughout the console, in the reader's locale.
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
/** Decimals of an amount of the API. */
const MICROS = 6;

const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const toTheMinute = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const minute = new Intl.DateTimeFormat(locale, toTheMinute);
const moment = new Intl.DateTimeFormat(locale, { ...toTheMinute, second: '2-digit' });
const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const minuteOfYear = new Intl.DateTimeFormat(locale, { ...toTheMinute, year: 'numeric' });

/** Formats a time as `Nov 20, 2:05:09 PM` in the reader's time zone; in another year to the minute, with the year. */
export function formatMoment(iso: string): string {
  return formatterFor(iso, moment).format(new Date(iso));
}

/** Formats a time likewise, without seconds. */
export function formatMinute(iso: string): string {
  return formatterFor(iso, minute).format(new Date(iso));
}

/** Formats a time as `2:05 PM` in the reader's time zone. */
export function formatTime(iso: string): string {
  return time.format(new Date(iso));
}

/** Formats the times and amounts within a message of the service for the reader: `0.05 USD` becomes `$0.05`. */
export function inReadersForm(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, formatMoment)
    .replace(/(?<![\d.])(-?\d+(?:\.\d+)?) USD\b/g, (_, amount: string) => formatMoney(amount));
}

function formatterFor(iso: string, thisYear: Intl.DateTimeFormat): Intl.DateTimeFormat {
  return new Date(iso).getFullYear() === new Date().getFullYear() ? thisYear : minuteOfYear;
}

/** Formats `2026-11-20` as `Nov 20`, whatever the reader's time zone: days of usage are UTC. */
export function formatDay(isoDay: string): string {
  return day.format(new Date(`${isoDay}T12:00:00`));
}

/** Formats a time as `just now`, `5 min ago` or `3 h ago`, earlier ones as the day. */
export function formatAgo(iso: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ago`;
  return day.format(new Date(iso));
}

/** Formats a duration as `0.8 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${formatDecimal(Math.max(0, seconds), 1)} s`;
  if (seconds < MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ${Math.round(seconds % MINUTE)} s`;
  return `${Math.floor(seconds / HOUR)} h ${Math.round((seconds % HOUR) / MINUTE)} min`;
}

/** Formats an age as `8 s`, without tenths of a second. */
export function formatAge(seconds: number): string {
  return formatSeconds(Math.round(Math.max(0, seconds))).replace(/[.,]0 s$/, ' s');
}

/** Formats the remaining or usual time of an order: `about 40 s`, `about 3 min`. */
export function formatAbout(seconds: number): string {
  return seconds < 90 ? `about ${Math.max(1, Math.round(seconds))} s` : `about ${Math.round(seconds / MINUTE)} min`;
}

/** Formats the length of a film: `5 s`, `5.2 s`. */
export function formatLength(seconds: number): string {
  return `${formatCount(rounded(seconds, 1))} s`;
}

const hasDecimalComma = (1.5).toLocaleString(locale).includes(',');

export function formatCount(count: number): string {
  return count.toLocaleString(locale);
}

/** Formats a count with its noun: `1 order`, `3 orders`. */
export function formatMany(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Formats a number with the given number of decimals: `0.8`. */
function formatDecimal(value: number, digits: number): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return withMinus(value.toLocaleString(locale, options));
}

/** Replaces the hyphen that a locale puts before negative numbers by a minus sign. */
function withMinus(text: string): string {
  return text.replace('-', '−');
}

/** Formats `0.974` as `97.4 %`. */
export function formatShare(share: number): string {
  const percent = share * 100;
  return `${percent === 100 ? '100' : formatDecimal(percent, 1)} %`;
}

/** Returns an amount in the API's spelling, with a decimal point: many readers type a comma. */
export function typedAmount(text: string): string {
  return hasDecimalComma ? text.trim().replace(',', '.') : text.trim();
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  if (bytes < 1_000_000_000) return `${formatDecimal(bytes / 1_000_000, 1)} MB`;
  return `${formatDecimal(bytes / 1_000_000_000, 2)} GB`;
}

/** Formats `"0.04"` as `$0.04`, or `0,04 $`: an amount with the decimals that the API returns. */
export function formatMoney(amount: string): string {
  if (!/^en\b/.test(locale)) return formatAbroad(amount);
  return amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`;
}

/** Formats dollars: two decimals, more only below ten cents. */
export function formatDollars(dollars: number): string {
  const digits = dollars !== 0 && Math.abs(dollars) < 0.1 ? 4 : 2;
  const text = dollars.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
  return withMinus(text);
}

/** Formats dollars on the scale of a chart: `$20`, `$0.5`. */
export function formatScaleDollars(dollars: number): string {
  return dollars.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 0,
    maximumFractionDigits: dollars >= 10 ? 0 : 6,
  });
}

/** Rounds an amount to cents, unless that would hide most of it. */
export function toCents(amount: string): string {
  return Math.abs(Number(amount)) < 0.1 ? amount : Number(amount).toFixed(2);
}

/** Multiplies an amount, as the service writes it: without needless zeros. */
export function multiplyAmount(amount: string, count: number): string {
  return (Number(amount) * count).toFixed(MICROS).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Returns the difference of two amounts in dollars. */
export function differenceOf(amount: string, subtracted: string): number {
  return rounded(Number(amount) - Number(subtracted), MICROS);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function formatAbroad(amount: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const dollars = Number(amount).toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return withMinus(dollars);
}
