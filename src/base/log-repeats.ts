const ONCE_PER_MS = 60_000;
const REMEMBERED = 1_000;

interface Seen {
  at: number;
  leftOut: number;
}

/**
 * Keeps an outage from filling the log. Of errors with the same text, only the first one each minute is logged with its
 * stack. Errors that belong to no task and no request, such as those of a background loop, are dropped for the rest of
 * the minute and counted.
 * @returns the fields to log, or null to drop the line.
 */
export function createRepeatFilter(now: () => number): (fields: unknown, text: unknown) => unknown {
  const known = new Map<string, Seen>();
  return (fields, text) => {
    if (typeof fields !== 'object' || fields === null || !('err' in fields) || !(fields.err instanceof Error))
      return fields;
    const { message } = fields.err;
    const name = `${String(text)}|${message}`;
    const seen = known.get(name);
    if (seen === undefined || now() - seen.at >= ONCE_PER_MS) {
      if (known.size >= REMEMBERED) known.clear();
      known.set(name, { at: now(), leftOut: 0 });
      return seen === undefined || seen.leftOut === 0 ? fields : { ...fields, repeated: seen.leftOut };
    }
    seen.leftOut++;
    if (!('task_id' in fields) && !('request_id' in fields) && !('delivery_id' in fields)) return null;
    return { ...fields, err: { type: fields.err.name, message } };
  };
}
