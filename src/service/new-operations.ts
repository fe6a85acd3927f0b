import { OPERATIONS } from '../http/docs/core-operations.ts';
import type { HttpAddition } from '../http/http-options.ts';
import type { Addition } from './addition.ts';
import { ConfigFault } from './config/config-fault.ts';
import { ADDITIONS_VARIABLE } from './config/config-variables.ts';

/**
 * Refuses operations that the service or another addition already has.
 * @param opened the HTTP parts of the additions, in their order
 * @throws ConfigFault naming each
 */
export function assertNewOperations(additions: readonly Addition[], opened: readonly HttpAddition[]): void {
  const owners = new Map(Object.keys(OPERATIONS).map((operation) => [operation, 'the service']));
  const messages: string[] = [];
  for (const [index, { operations = {} }] of opened.entries())
    for (const operation of Object.keys(operations)) {
      const name = `the addition '${additions[index]?.name}'`;
      const owner = owners.get(operation);
      if (owner === undefined) owners.set(operation, name);
      else messages.push(`${name} adds '${operation}', which ${owner} already has`);
    }
  if (messages.length > 0)
    throw new ConfigFault(messages.map((message) => ({ variable: ADDITIONS_VARIABLE, message })));
}
