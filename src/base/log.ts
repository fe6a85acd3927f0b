import { type DestinationStream, type Logger, pino } from 'pino';
import { createRepeatFilter } from './log-repeats.ts';

export type Log = Logger;

const SECRET = /\bdk_(live|test|admin)_[0-9A-Za-z]+/g;

/** Fields on every log line of a process. */
export interface LogBase {
  readonly role: string;
  /** `host:pid`, for example `web-1:4711`. */
  readonly process: string;
}

/**
 * Creates a logger that writes JSON to standard error. API keys and signatures are redacted by field name, and by
 * pattern anywhere in a text. An error that repeats is logged once a minute, with the number of lines dropped.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
  base: LogBase | null = null,
): Log {
  const filter = createRepeatFilter(() => performance.now());
  return pino(
    {
      level,
      base,
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
          line.replace(SECRET, 'dk_$1_[redacted]').replace(/([?&]signature=)[\w-]+/g, '$1[redacted]'),
      },
    },
    destination,
  );
}
