/**
 * Limits how much runs at once per name: operations, or an amount such as bytes. Further ones wait in order of arrival.
 */
export interface Turns {
  /**
   * Waits until the amount fits below the limit.
   * @param amount at most the limit
   * @returns a function that ends the turn; calling it again does nothing.
   * @throws the signal's reason if it is aborted while waiting.
   */
  take(name: string, signal?: AbortSignal, amount?: number): Promise<() => void>;
  /** Takes a turn if the amount fits and nobody waits; null = it would have to wait. */
  takeAtOnce(name: string, amount?: number): (() => void) | null;
  /** Returns the amount in use and the number of waiting callers. */
  state(name: string): { readonly used: number; readonly waiting: number };
}

interface Line {
  used: number;
  readonly waiting: Set<{ readonly amount: number; readonly begin: () => void }>;
}

/** Creates turns. @param limit maximum amount in use at once, per name. */
export function createTurns(limit: number): Turns {
  const lines = new Map<string, Line>();

  function lineOf(name: string): Line {
    const line = lines.get(name) ?? { used: 0, waiting: new Set() };
    lines.set(name, line);
    return line;
  }

  function start(name: string, line: Line, amount: number): () => void {
    line.used += amount;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      line.used -= amount;
      admit(name, line);
    };
  }

  function admit(name: string, line: Line): void {
    for (const next of line.waiting) {
      if (line.used + next.amount > limit) break;
      line.waiting.delete(next);
      next.begin();
    }
    // A turn of amount 0 can outlive its line, and must not delete the line that replaced it.
    const isIdle = line.used === 0 && line.waiting.size === 0;
    if (isIdle && lines.get(name) === line) lines.delete(name);
  }

  function takeAtOnce(name: string, amount = 1): (() => void) | null {
    const line = lineOf(name);
    return line.waiting.size === 0 && line.used + amount <= limit ? start(name, line, amount) : null;
  }

  return {
    async take(name, signal, amount = 1) {
      signal?.throwIfAborted();
      const begun = takeAtOnce(name, amount);
      if (begun !== null) return begun;
      const line = lineOf(name);
      return await new Promise((resolve, reject) => {
        const leave = () => {
          line.waiting.delete(turn);
          admit(name, line);
          reject(signal?.reason);
        };
        const turn = {
          amount,
          begin: () => {
            signal?.removeEventListener('abort', leave);
            resolve(start(name, line, amount));
          },
        };
        line.waiting.add(turn);
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
    takeAtOnce,
    state(name) {
      const line = lines.get(name);
      return { used: line?.used ?? 0, waiting: line?.waiting.size ?? 0 };
    },
  };
}
