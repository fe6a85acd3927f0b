import type { Engine } from '@darkroom-service/engines/engine';
import type { Database } from '../database/database.ts';
import { isKeyed } from '../tasks/keyed-engine.ts';
import type { KeyRegistry } from './key-registry.ts';
import type { KeyedEngines } from './keyed-engines.ts';
import { keyedEnginesInUse } from './upstream-keys.ts';

/** Engines by name: the operator's, and those of upstream keys of customers. */
export interface EngineSet {
  get(name: string): Engine | undefined;
  has(name: string): boolean;
  /** The operator's engines, and those of upstream keys with orders that wait or are in flight. */
  values(): Iterable<Engine>;
}

/** Creates the set of engines: the operator's, and those of customers' keys. @param engines those of the operator */
export function createEngineSet(
  engines: ReadonlyMap<string, Engine>,
  keyed: KeyedEngines,
  database: Pick<Database, 'read'>,
  keys: Pick<KeyRegistry, 'hasAny'>,
): EngineSet & {
  /** Reads which upstream keys have orders, and closes the engines of the others. */
  refresh(): Promise<void>;
} {
  let inUse: readonly Engine[] = [];
  const get = (name: string) => (isKeyed(name) ? keyed.get(name) : engines.get(name));
  return {
    get,
    has: (name) => get(name) !== undefined,
    values: () => (inUse.length === 0 ? engines.values() : [...engines.values(), ...inUse]),
    async refresh() {
      if (!keys.hasAny && inUse.length === 0) return;
      const names = await keyedEnginesInUse(database.read);
      await keyed.keepOnly(names);
      inUse = [...names].flatMap((name) => keyed.get(name) ?? []);
    },
  };
}
