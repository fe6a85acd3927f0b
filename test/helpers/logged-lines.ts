import { createLog, type Log } from '../../src/base/log.ts';

/** A parsed line of the log. */
export type LoggedLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

/** A log whose lines can be read. */
export function loggedLines(level = 'info'): { readonly log: Log; readonly lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line) as LoggedLine) });
  return { log, lines };
}
