import type { VariableFault } from './variable-types.ts';
/** All faults of the settings, one per line. */
export class ConfigFault extends Error {
  readonly faults: readonly VariableFault[];

  constructor(faults: ConfigFault['faults']) {
    super(
      ['The settings cannot be used:', ...faults.map(({ variable, message }) => `  ${variable}: ${message}`)].join(
        '\n',
      ),
    );
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}
