import { usageFault } from './command-fault.ts';

const MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Parses a duration such as `90d`, `24h`, `15m`, `30s` or `0` to milliseconds. @throws CommandFault */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  if (text === '0') return 0;
  if (match === null) {
    throw usageFault(`${option}: expected a time such as 90d, 24h, 15m or 30s, found '${text}'`);
  }
  return Number(match[1]) * MILLISECONDS[match[2] ?? '']!;
}

const BYTES = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Formats bytes in units of 1,000, such as `6.58 GB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < BYTES.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toPrecision(3)} ${BYTES[unit]}`;
}

/** Quotes a word for a POSIX shell if needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
