import type { Engine } from '@darkroom-service/engines';
import { isKeyed } from '../record/owned-instance.ts';
import type { OwnedInstances } from './owned-instances.ts';

/** Engines by name: the operator's, and those of accounts. */
export interface EngineSet {
  get(name: string): Engine | undefined;
  has(name: string): boolean;
  /** Returns the operator's engines, and those of accounts with orders that wait or are in flight. */
  values(): Iterable<Engine>;
}

/** Creates the set of engines. @param engines the operator's engines */
export function createEngineSet(
  engines: ReadonlyMap<string, Engine>,
  instances: Pick<OwnedInstances, 'get' | 'inUse'>,
): EngineSet & {
  /** Reads which engines of accounts have orders. */
  refresh(): Promise<void>;
} {
  let inUse: readonly Engine[] = [];
  const get = (name: string) => (isKeyed(name) ? instances.get(name) : engines.get(name));
  return {
    get,
    has: (name) => get(name) !== undefined,
    values: () => (inUse.length === 0 ? engines.values() : [...engines.values(), ...inUse]),
    async refresh() {
      inUse = await instances.inUse();
    },
  };
}
