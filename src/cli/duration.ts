import { usageFault } from './command-fault.ts';

const UNITS: Readonly<Record<string, number>> = {
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
  return Number(match[1]) * UNITS[match[2] ?? '']!;
}
