import type { TProperties } from 'typebox';
import type { VariableValues } from './config-variables.ts';
import type { Environment } from './environment.ts';
import type { ValuesOf } from './variable-types.ts';

/** The variables of one addition, and the settings read from them, which `config.of(settings)` returns. */
export interface Settings<Value = unknown, Variables extends TProperties = TProperties> {
  readonly variables: Variables;
  /** The variables that only a PostgreSQL database can use: with the embedded one, setting them is a fault. */
  readonly needDatabase?: readonly string[];
  /**
   * Converts values that are valid alone. Runs at every start and in every command, also while the addition is
   * disabled.
   * @throws ConfigFault if they are not valid together, or not beside the core's
   */
  read(values: ValuesOf<Variables>, around: Around): Value;
}

/** The surroundings that an addition's settings may depend on beside its own variables. */
export interface Around {
  /** The valid values of the core's variables. */
  readonly core: VariableValues;
  /** The base of relative paths. */
  readonly directory: string;
  /** An absolute path. */
  readonly dataDirectory: string;
  readonly environment: Environment;
}

/** The parts of an addition that its settings need. */
export interface Configurable {
  readonly name: string;
  readonly settings?: Settings;
}

/** Returns the settings; `read` gets the types of its values from the variables. */
export function defineSettings<const Variables extends TProperties, Value>(
  settings: Settings<Value, Variables>,
): Settings<Value, Variables> {
  return settings;
}
