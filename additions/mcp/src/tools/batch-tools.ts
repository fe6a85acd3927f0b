import type { BatchView, JsonObject } from '@darkroom-service/contract';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { batchResult } from '../batch-result.ts';
import type { Refusal } from '../call-api.ts';
import { waitForBatch } from '../follow-batch.ts';
import { batchOffer } from '../protocol-tasks.ts';
import type { ToolCall, ToolContext } from '../tool-context.ts';
import { COSTS, orderFields, placeCall } from './place-call.ts';
import { BatchOrders, Name, ORDERS, readCall, waitLeft } from './tool-parts.ts';

const Batch = z.strictObject({
  orders: BatchOrders,
  max_price: Name.optional().describe('US dollars that all orders together may cost at most.'),
  max_parallel: z.int().min(1).optional().describe('How many of the orders run at once.'),
  ...orderFields,
});

/** Adds the tool that places many orders at once. */
export function addBatchTools(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'create_batch',
    {
      title: 'Create a batch',
      description: `Orders several pictures, films and actions at once: all or none, at one price, with one question to the user if they must agree. An order can use the result of an earlier one of the same batch by its name: { "name": "hero", … } and then "image_urls": ["order:hero"], or "parent_task_id": "order:hero" for an action. ${COSTS}`,
      inputSchema: Batch,
      annotations: ORDERS,
    },
    (args, protocol) => {
      const call = readCall(server, protocol);
      const { idempotency_key: key, wait_seconds: seconds, approval, ...fields } = args;
      const request = { path: '/v1/batches', fields: fields as JsonObject, key, approval } as const;
      return placeCall<BatchView>(context, call, request, async (batch, more) => {
        if (batch.status !== 'processing') return await batchResult(context, batch, more);
        if (call.takesTasks) return batchOffer(batch);
        return await batchResult(context, await waitAsLongAs(context, call, batch, seconds), more);
      });
    },
  );
}

/** Waits for a placed batch. If waiting fails, the answer still names the batch. */
async function waitAsLongAs(
  context: ToolContext,
  call: ToolCall,
  batch: BatchView,
  seconds: number,
): Promise<BatchView> {
  if (seconds === 0) return batch;
  const { signal } = call.protocol.mcpReq;
  return await waitForBatch(context, batch.batch_id, waitLeft(call, seconds), signal).catch((_: Refusal) => batch);
}
