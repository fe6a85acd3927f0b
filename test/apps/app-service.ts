import assert from 'node:assert/strict';
import { startTestService, type TestService } from '../helpers/service.ts';

interface ListedTask {
  readonly status: string;
  readonly cost: { readonly state: string; readonly amount: string };
}

/** How long a slow picture takes, in seconds: longer than the service holds a request of any client. */
export const SLOW_SECONDS = 30;

/** Starts a service that ends with the stack. */
export async function startAppService(
  stack: AsyncDisposableStack,
  env: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const settings = { openai: { holdMs: 5_000 } };
  return await startTestService({ after: (end) => stack.defer(end as () => Promise<void>) }, { env, settings });
}

/** Counts the images of a key and adds up their charges, in dollars. Every image must have succeeded. */
export async function ordersAndCharges(
  service: TestService,
  key: string,
): Promise<{ readonly orders: number; readonly charged: number }> {
  const { status, data } = await service.call(key, 'GET', '/v1/images?limit=100');
  assert.equal(status, 200);
  const tasks: readonly ListedTask[] = data.items;
  for (const task of tasks) assert.deepEqual([task.status, task.cost.state], ['succeeded', 'charged']);
  return { orders: tasks.length, charged: tasks.reduce((sum, { cost }) => sum + Number(cost.amount), 0) };
}
