import type { Engine } from '@darkroom-service/engines';

/**
 * Engines that belong to accounts, beside those of the operator. An account's orders go to its own engine of a kind,
 * and never to the operator's. Their names are `kind@id`, as `ownedInstance` makes them.
 */
export interface OwnedInstances {
  /** Engines by kind that show what a kind can do, whoever owns it. Their calls are never used. */
  readonly kinds: ReadonlyMap<string, Engine>;
  /** Returns the names of an account's engines, by kind; empty for most accounts. */
  of(accountId: string): ReadonlyMap<string, string>;
  /** Returns an engine of any account; undefined for other names and unknown kinds. */
  get(name: string): Engine | undefined;
  /** Returns the engines with orders that wait or are in flight, and closes the others. */
  inUse(): Promise<readonly Engine[]>;
  /** Reads the owners at once, after a change made in this process. */
  refresh(): Promise<void>;
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Joins the engines of accounts that several parts open. If two parts have one of the same kind for an account, the
 * first applies.
 */
export function joinInstances(parts: readonly OwnedInstances[]): OwnedInstances {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return {
    kinds: merged(parts.map(({ kinds }) => kinds)),
    of: (accountId) => (parts.length === 0 ? NONE : merged(parts.map((part) => part.of(accountId)))),
    get(name) {
      for (const part of parts) {
        const engine = part.get(name);
        if (engine !== undefined) return engine;
      }
      return undefined;
    },
    inUse: async () => (await Promise.all(parts.map((part) => part.inUse()))).flat(),
    async refresh() {
      await Promise.all(parts.map((part) => part.refresh()));
    },
  };
}

function merged<Value>(maps: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}
