import { ADDITIONS } from '../src/additions/list.ts';
import { type Config, loadConfig as load } from '../src/service/config/config.ts';
import type { Environment } from '../src/service/config/environment.ts';

/** Reads the settings of a service with all additions. */
export function loadConfig(environment: Environment, options?: Parameters<typeof load>[2]): Config {
  return load(environment, ADDITIONS, options);
}
