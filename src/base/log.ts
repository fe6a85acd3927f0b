import { world } from '@darkroom-service/contract';
import { createRedactor } from '@darkroom-service/media';
import { type DestinationStream, type Logger, pino } from 'pino';
import { visibleJson } from './visible-text.ts';

const ERROR_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;
const REMEMBERED = 1_000;

/**
 * The key of a field that says what a line is about, for example a route. The same line about the same subject is
 * logged once an hour, with the number of omitted ones as `repeated`. The field itself is not logged. For lines that
 * would otherwise repeat with every order.
 */
export const HOURLY_ABOUT = Symbol('hourly about');

interface Seen {
  at: number;
  leftOut: number;
}

/**
 * Keeps an outage from filling the log. Of errors with the same text, only the first one each minute is logged with its
 * stack. Errors that belong to no task and no request, such as those of a background loop, are dropped for the rest of
 * the minute and counted; lines with `HOURLY_ABOUT` for the rest of the hour.
 * @returns the fields to log, or null to drop the line.
 */
export function createRepeatFilter(now: () => number): (fields: unknown, text: unknown) => unknown {
  const known = new Map<string, Seen>();
  return (fields, text) => {
    if (typeof fields !== 'object' || fields === null) return fields;
    const isHourly = HOURLY_ABOUT in fields;
    if (!isHourly && !('err' in fields && fields.err instanceof Error)) return fields;
    const message = isHourly ? String(fields[HOURLY_ABOUT]) : (fields as { readonly err: Error }).err.message;
    const name = `${String(text)}|${message}`;
    const seen = known.get(name);
    if (seen === undefined || now() - seen.at >= (isHourly ? HOUR_MS : ERROR_EVERY_MS)) {
      if (known.size >= REMEMBERED) known.clear();
      known.set(name, { at: now(), leftOut: 0 });
      return seen === undefined || seen.leftOut === 0 ? fields : { ...fields, repeated: seen.leftOut };
    }
    seen.leftOut++;
    if (isHourly) return null;
    if (!('task_id' in fields) && !('request_id' in fields) && !('delivery_id' in fields)) return null;
    return { ...fields, err: { type: (fields as { readonly err: Error }).err.name, message } };
  };
}

/** The log of a process: one line of JSON for each event. */
export type Log = Logger;

const SECRET = /\bdk_(live|test|admin)_[0-9A-Za-z]+/g;

/** Fields on every log line of a process. */
export interface LogBase {
  readonly role: string;
  /** The id of the process, for example `web-1-4711-0a1b2c3d`. */
  readonly process: string;
}

/**
 * Creates a logger that writes JSON to standard error. API keys and signatures are redacted by field name, and by
 * pattern anywhere in a text. An error that repeats is logged once a minute, with the number of lines dropped.
 * @param traceOf returns the id of the trace to which a line with these fields belongs; null = none
 * @param secrets are redacted anywhere in a line, in whatever form others repeat them
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
  base: LogBase | null = null,
  traceOf: (fields: object) => string | null = () => null,
  secrets: readonly string[] = [],
): Log {
  const redact = createRedactor(secrets, '[redacted]');
  const filter = createRepeatFilter(() => world.monotonic());
  return pino(
    {
      level,
      base,
      mixin(fields) {
        const trace = traceOf(fields);
        return trace === null ? {} : { trace_id: trace };
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'headers.authorization',
          'req.headers.authorization',
          'key',
          '*.key',
          'secret',
          '*.secret',
          'apiKey',
          '*.apiKey',
        ],
        censor: '[redacted]',
      },
      hooks: {
        logMethod(args, method) {
          const [fields, ...rest] = args as [unknown, ...unknown[]];
          const kept = filter(fields, rest[0]);
          if (kept !== null) method.apply(this, [kept, ...rest] as Parameters<typeof method>);
        },
        streamWrite: (line) =>
          redact(visibleJson(line))
            .replace(SECRET, 'dk_$1_[redacted]')
            .replace(/([?&]signature=)[\w-]+/g, '$1[redacted]'),
      },
    },
    destination,
  );
}
