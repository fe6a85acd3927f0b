import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const SECRET = /\bdk_(live|test|admin)_[0-9A-Za-z]+/g;

/** A JSON log on standard error. Keys and signatures are cut out by path, and by shape wherever else they turn up in a text. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino(
    {
      level,
      base: null,
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
        streamWrite: (line) =>
          line.replace(SECRET, 'dk_$1_[redacted]').replace(/([?&]signature=)[\w-]+/g, '$1[redacted]'),
      },
    },
    destination,
  );
}
