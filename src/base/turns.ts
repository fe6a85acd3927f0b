/** Limits how many operations run at once per name. Further ones wait in order of arrival. */
export interface Turns {
  /**
   * Waits until fewer operations than the limit run under this name.
   * @returns a function that ends the turn; calling it again does nothing.
   * @throws the signal's reason if it is aborted while waiting.
   */
  take(name: string, signal?: AbortSignal): Promise<() => void>;
}

interface Line {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** @param limit operations at once, per name. */
export function createTurns(limit: number): Turns {
  const lines = new Map<string, Line>();

  function start(name: string, line: Line): () => void {
    line.taken++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      line.taken--;
      const [next] = line.waiting;
      if (next !== undefined) next();
      else if (line.taken === 0) lines.delete(name);
    };
  }

  return {
    async take(name, signal) {
      signal?.throwIfAborted();
      const line = lines.get(name) ?? { taken: 0, waiting: new Set() };
      lines.set(name, line);
      if (line.taken < limit) return start(name, line);
      return await new Promise((resolve, reject) => {
        const leave = () => {
          line.waiting.delete(begin);
          reject(signal?.reason);
        };
        const begin = () => {
          line.waiting.delete(begin);
          signal?.removeEventListener('abort', leave);
          resolve(start(name, line));
        };
        line.waiting.add(begin);
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
