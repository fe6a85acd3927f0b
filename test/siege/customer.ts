import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CustomerReport, CustomerWish } from './customer-process.ts';

/** The paying customer: orders nothing here, but asks forty times a second. */
export interface Customer {
  /** What was measured since the last report. */
  report(): Promise<CustomerReport>;
  close(): void;
}

const PROGRAM = new URL('./customer-process.ts', import.meta.url);

export async function startCustomer(wish: CustomerWish): Promise<Customer> {
  const child = fork(PROGRAM, { execArgv: [] });
  child.send(wish);
  await once(child, 'message');
  return {
    async report() {
      child.send('report');
      const [report] = (await once(child, 'message')) as [CustomerReport];
      return report;
    },
    close: () => void child.kill('SIGKILL'),
  };
}
