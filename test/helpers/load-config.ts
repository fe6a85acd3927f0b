import { ADDITIONS } from '../../src/additions/list.ts';
import { type Config, loadConfig as load } from '../../src/service/config/config.ts';
import type { Environment } from '../../src/service/config/environment.ts';

/** Values in place of those that additions read from their variables, by the names of the additions. */
export type Replaced = Readonly<Record<string, object>>;

/** Reads the settings of a service with all additions. */
export function loadConfig(environment: Environment, options?: Parameters<typeof load>[2]): Config {
  return load(environment, ADDITIONS, options);
}

/** Replaces what additions read, for values that no variable sets. */
export function replaceSettings(config: Config, replaced: Replaced): Pick<Config, 'of'> {
  return {
    of(settings) {
      const { name } = ADDITIONS.find((addition) => addition.settings === settings) ?? {};
      const change = name === undefined ? undefined : replaced[name];
      return change === undefined ? config.of(settings) : Object.assign({}, config.of(settings), change);
    },
  };
}
