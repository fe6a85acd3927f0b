import assert from 'node:assert/strict';
import { loadConfig } from '../src/service/config/config.ts';
import { ConfigFault } from '../src/service/config/config-fault.ts';

/** Returns the faults of an environment, by variable. */
export function faultsOf(environment: Record<string, string>): Record<string, string> {
  try {
    loadConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigFault);
    return Object.fromEntries(error.faults.map(({ variable, message }) => [variable, message]));
  }
  assert.fail('expected a ConfigFault');
}
