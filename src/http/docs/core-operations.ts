import { CUSTOMER_OPERATIONS } from './customer-operations.ts';
import { HEALTH_OPERATIONS } from './health-operations.ts';
import type { Operation } from './operation.ts';

/** The operations of the core. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...CUSTOMER_OPERATIONS,
  ...HEALTH_OPERATIONS,
};
