import { ADDITIONS } from '../../src/additions/list.ts';
import { type Config, loadConfig as load } from '../../src/service/config/config.ts';
import type { Environment } from '../../src/service/config/environment.ts';
import type { Settings } from '../../src/service/config/settings.ts';

/** Values in place of those that additions read from their variables. */
export type Replaced = ReadonlyMap<Settings, object>;

/** Reads the settings of a service with all additions. */
export function loadConfig(environment: Environment, options?: Parameters<typeof load>[2]): Config {
  return load(environment, ADDITIONS, options);
}

/** Replaces what additions read, for values that no variable sets. */
export function replaceSettings(config: Config, replaced: Replaced): Pick<Config, 'of'> {
  return {
    of(settings) {
      const change = replaced.get(settings);
      return change === undefined ? config.of(settings) : Object.assign({}, config.of(settings), change);
    },
  };
}
