import { recordAct } from '../accounts/audit.ts';
import type { Database } from '../database/database.ts';
import type { Addition } from './addition.ts';
import { type Customers, openCustomers } from './kernel/customers.ts';
import { openSecrets, type Secrets } from './kernel/installation.ts';
import type { Kernel } from './kernel/kernel.ts';
import { type Keys, openKeys } from './kernel/keys.ts';
import { listProcesses } from './operations/processes.ts';
import { refundAlone } from './refund-alone.ts';

/** The parts of the service that commands use, on the database in the data directory. */
export interface LocalKernel {
  readonly keys: Keys;
  readonly customers: Customers;
  readonly secrets: Secrets;
  readonly accounts: Pick<Kernel['accounts'], 'record'>;
  readonly orders: Pick<Kernel['orders'], 'refund'>;
  readonly checks: Pick<Kernel['checks'], 'processes'>;
}

/** Opens these parts. A running service finds the work that they enter within a second. */
export function openLocalKernel(database: Database, additions: readonly Addition[]): LocalKernel {
  return {
    keys: openKeys({ database, hooks: additions.flatMap(({ hooks }) => hooks ?? []) }),
    customers: openCustomers(database),
    secrets: openSecrets(database),
    accounts: { record: recordAct },
    orders: { refund: (by, taskId) => refundAlone(database, additions, by, taskId) },
    checks: { processes: () => listProcesses(database.read) },
  };
}
