import { faultsOfAzureOpenai } from './azure-openai-variables.ts';
import type { VariableValues } from './config-variables.ts';
import { faultsOfDatabase } from './database-variables.ts';
import { faultsOfRetention } from './retention-variables.ts';
import type { VariableFault } from './variable-types.ts';

/** Finds values that are valid alone but not together. */
export function contradictions(values: VariableValues): VariableFault[] {
  const faults: VariableFault[] = [];
  const { DARKROOM_PORT: port, DARKROOM_METRICS_PORT: metricsPort } = values;
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port && values.DARKROOM_ROLE !== 'worker') {
    const message = `expected another port than DARKROOM_PORT (${port})`;
    faults.push({ variable: 'DARKROOM_METRICS_PORT', message });
  }
  if (values.DARKROOM_ROLE === 'worker' && values.DARKROOM_PUBLIC_URL === undefined) {
    const message = 'expected the address that clients use, as a worker has none of its own to begin links with';
    faults.push({ variable: 'DARKROOM_PUBLIC_URL', message });
  }
  faults.push(...faultsOfDatabase(values), ...faultsOfRetention(values), ...faultsOfAzureOpenai(values));
  return faults;
}
