import type { OperationRoles } from '@darkroom-service/contract';

const HEAD = `import type { OperationRoles } from '@darkroom-service/contract';
import type { Operation } from './operations.ts';

/** The permission that people need for each operation. Written by \`npm run console:types\` from the operations. */
export const OPERATION_ROLES: Readonly<Record<Operation, OperationRoles>> = {`;

/** Writes the console's table of the roles that operations declare. */
export function operationRoles(declared: ReadonlyMap<string, OperationRoles>): string {
  const lines = [...declared].sort(([one], [other]) => (one < other ? -1 : 1));
  const quoted = (roles: OperationRoles) => (typeof roles === 'string' ? `'${roles}'` : JSON.stringify(roles));
  return [HEAD, ...lines.map(([operation, roles]) => `  '${operation}': ${quoted(roles)},`), '};', ''].join('\n');
}
