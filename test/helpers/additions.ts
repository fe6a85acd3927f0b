import { CALLBACKS, callbacksTo } from '../../src/additions/callbacks/callbacks.ts';
import { ADDITIONS } from '../../src/additions/list.ts';
import { UPSTREAM_KEYS, upstreamKeysWith } from '../../src/additions/upstream-keys/upstream-keys.ts';
import { type Addition, tablesOf } from '../../src/service/addition.ts';
import type { Config } from '../../src/service/config/config.ts';
import { type Service, startService as start } from '../../src/service/service.ts';
import type { ServiceOptions } from '../../src/service/service-options.ts';

/** The statements that create the tables of all additions. */
export const ADDED = tablesOf(ADDITIONS);
/** The audits of all additions. */
export const AUDITS = ADDITIONS.flatMap(({ audit }) => audit ?? []);
/** The hooks of all additions. */
export const HOOKS = ADDITIONS.flatMap(({ hooks }) => hooks ?? []);

/** All additions; upstreams are given the service's own address to call, although it is not public. */
export const CALLED_ANYWHERE = ADDITIONS.map((addition) =>
  addition === CALLBACKS ? callbacksTo(({ settings }) => settings.publicUrl) : addition,
);

/** Returns all additions, with these engines for upstream keys instead of those at the vendors' own addresses. */
export function withUpstreamKeys(kinds: Parameters<typeof upstreamKeysWith>[0]): readonly Addition[] {
  return ADDITIONS.map((addition) => (addition === UPSTREAM_KEYS ? upstreamKeysWith(kinds) : addition));
}

/** Starts the service as `darkroom serve` does, with all additions. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  return await start(config, { additions: ADDITIONS, ...options });
}
