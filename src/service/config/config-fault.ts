/** All faults of the settings, one per line. */
export class ConfigFault extends Error {
  readonly faults: readonly { readonly variable: string; readonly message: string }[];

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
