import assert from 'node:assert/strict';
import { test } from 'node:test';
import { world } from '@darkroom-service/contract';
import { placeOrder } from './place-order.ts';
import type { ToolContext } from './tool-context.ts';
import { waitLeft } from './tools/tool-parts.ts';

const REFUSED = { error: { code: 'service_unavailable', message: 'not now', status: 503, retryable: true } };
const ACCOUNT = { data: { key: { approve_over: null } } };
const MINUTE_MS = 60_000;

test('an order that was refused for now after a long time is not tried again within its call, and its wait is over', async () => {
  let tries = 0;
  const context = {
    conversation: { id: null, budget: null },
    async call({ path }: { readonly path: string }) {
      const isOrder = path === '/v1/images';
      if (isOrder) tries++;
      const bytes = Buffer.from(JSON.stringify(isOrder ? REFUSED : ACCOUNT));
      return { status: isOrder ? 503 : 200, header: () => null, bytes };
    },
  } as unknown as ToolContext;
  const begunAt = world.monotonic() - MINUTE_MS;
  const placing = placeOrder(context, { path: '/v1/images', body: {}, key: 'one' }, null, begunAt);
  await assert.rejects(placing, { error: REFUSED.error });
  assert.equal(tries, 1);
  assert.equal(waitLeft({ begunAt } as Parameters<typeof waitLeft>[0], 45), 0);
});
