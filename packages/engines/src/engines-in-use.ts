import type { Engine } from './engine.ts';

/**
 * Returns the engines that are not dormant. A dormant one may get its first model later, without a restart; until then
 * it is shown to nobody, and claims nothing.
 */
export function enginesInUse<One extends Pick<Engine, 'isDormant'>>(engines: { values(): Iterable<One> }): One[] {
  return [...engines.values()].filter((engine) => engine.isDormant?.() !== true);
}
