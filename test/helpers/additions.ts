import { ADDITIONS } from '../../src/additions/list.ts';
import { tablesOf } from '../../src/service/addition.ts';
import type { Config } from '../../src/service/config/config.ts';
import { type Service, startService as start } from '../../src/service/service.ts';
import type { ServiceOptions } from '../../src/service/service-options.ts';

/** The statements that create the tables of all additions. */
export const ADDED = tablesOf(ADDITIONS);
/** The audits of all additions. */
export const AUDITS = ADDITIONS.flatMap(({ audit }) => audit ?? []);
/** The hooks of all additions. */
export const HOOKS = ADDITIONS.flatMap(({ hooks }) => hooks ?? []);

/** Returns what opens the transport of notices that an addition brings; undefined: the database carries them. */
export function noticeTransportOf(config: Config) {
  return ADDITIONS.flatMap((addition) => addition.openNoticeTransport?.(config) ?? [])[0];
}

/** Starts the service as `darkroom serve` does, with all additions. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  return await start(config, { additions: ADDITIONS, ...options });
}
