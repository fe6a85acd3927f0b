import assert from 'node:assert/strict';
import { ConfigFault } from '../../src/service/config/config-fault.ts';
import { loadConfig } from './load-config.ts';

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
