import { type Config, fingerprint } from '@darkroom-service/darkroom/kernel';
import type { Upstreams } from '@darkroom-service/engines';

/**
 * Returns the upstream account of each engine that has a key: the engine's name and a hash of the key, so that cells
 * with the same key find each other. Own servers and own engines have no key: they are not shared.
 */
export function upstreamAccounts(config: Pick<Config, 'upstreams' | 'engineInstances'>): Map<string, string> {
  const accounts = new Map<string, string>();
  const add = (engine: string, access: unknown) => accounts.set(engine, `${engine} ${fingerprint(access)}`);
  for (const [engine, access] of keysOf(config.upstreams)) add(engine, access);
  for (const { name, upstreams } of config.engineInstances)
    if (upstreams !== null) for (const [, access] of keysOf(upstreams)) add(name, access);
  return accounts;
}

/** Returns the settings that differ between accounts, by engine name. */
function keysOf({ fal, replicate, vendors, azureOpenai, vertex }: Upstreams): [string, object][] {
  const named = { fal, replicate, 'azure-openai': azureOpenai, ...vendors };
  const keyed = Object.entries(named).flatMap(([engine, access]): [string, object][] =>
    access === null ? [] : [[engine, { key: access.key, url: access.url }]],
  );
  return vertex === null ? keyed : [...keyed, ['vertex', { ...vertex.account, url: vertex.url }]];
}
