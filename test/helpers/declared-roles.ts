import type { OperationRoles } from '@darkroom-service/contract';
import { ADDITIONS } from '../../src/additions/list.ts';
import { OPERATIONS } from '../../src/http/docs/core-operations.ts';
import type { Operation } from '../../src/http/docs/operation.ts';
import type { HttpAddition } from '../../src/http/http-options.ts';
import type { Addition } from '../../src/service/addition.ts';
import { startTestService } from './service.ts';

/** Reads the roles that each operation of the service declares, by method and path, from a running service. */
export async function readDeclaredRoles(
  t: Parameters<typeof startTestService>[0],
): Promise<ReadonlyMap<string, OperationRoles>> {
  let opened: readonly HttpAddition[] = [];
  const reader: Addition = {
    name: 'roles-reader',
    open: () => ({
      http: async () => ({
        v1(_v1, _options, { additions }) {
          opened = additions;
        },
      }),
    }),
  };
  await startTestService(t, { service: { additions: [...ADDITIONS, reader] } });
  const operations: Record<string, Operation> = Object.assign(
    { ...OPERATIONS },
    ...opened.map((addition) => addition.operations),
  );
  return new Map(Object.entries(operations).map(([operation, { roles }]) => [operation, roles]));
}
