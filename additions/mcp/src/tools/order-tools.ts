import type { JsonObject, TaskView, Tombstone } from '@darkroom-service/contract';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Refusal } from '../call-api.ts';
import { isFinal, waitForTask } from '../follow-task.ts';
import type { OrderPath } from '../order.ts';
import { taskOffer } from '../protocol-tasks.ts';
import { dataResult, taskResult } from '../results.ts';
import type { ToolCall, ToolContext, ToolResult } from '../tool-context.ts';
import { COSTS, orderFields, placeCall } from './place-call.ts';
import { fallbackFields, Name, ORDERS, openFields, Prompt, priceFields, readCall, waitLeft } from './tool-parts.ts';

const REST =
  'All other arguments are fields of the model as read_model lists them, sent at the top level (aspect_ratio, resolution, image_urls, seed …). Local files cannot be read: media fields take https addresses, data URIs, upload:<file_id>, task:<task_id>, or task:<task_id>#2 for tile 2 of a grid.';
const WaitForParent = z
  .boolean()
  .optional()
  .describe('true: the tasks that this order uses need not be finished. It waits for them and starts by itself.');

const Create = openFields({
  model_id: Name.describe('A model that search_models found.'),
  prompt: Prompt.optional().describe('What to make. Some models can do without if they get media.'),
  wait_for_parent: WaitForParent,
  ...priceFields,
  ...fallbackFields,
  ...orderFields,
});

const Action = openFields({
  parent_task_id: Name.describe('A picture task of yours that succeeded, or with wait_for_parent one under way.'),
  action: Name.describe("One of the task's available_actions, such as upscale, variation, reroll, zoom_out."),
  index: z.int().min(1).max(4).optional().describe('The tile of a grid: 1 top left to 4 bottom right.'),
  prompt: Prompt.optional().describe("Replaces the parent's prompt where the action takes one."),
  wait_for_parent: WaitForParent,
  ...priceFields,
  ...orderFields,
});

type OrderArguments = z.output<typeof Create> | z.output<typeof Action>;

/** Adds the tools that cost money. */
export function addOrderTools(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'create_picture',
    {
      title: 'Create a picture',
      description: `Orders a picture. ${COSTS} ${REST}`,
      inputSchema: Create,
      annotations: ORDERS,
    },
    (args, protocol) => order(context, readCall(server, protocol), '/v1/images', args),
  );
  server.registerTool(
    'create_film',
    {
      title: 'Create a film',
      description: `Orders a film (video). ${COSTS} ${REST}`,
      inputSchema: Create,
      annotations: ORDERS,
    },
    (args, protocol) => order(context, readCall(server, protocol), '/v1/videos', args),
  );
  server.registerTool(
    'act_on_picture',
    {
      title: 'Act on a picture',
      description: `Orders a follow-up on a picture: upscale, vary, zoom out, pan, remix … The task's available_actions list what is possible, with prices and fields; those fields go to the top level. ${COSTS}`,
      inputSchema: Action,
      annotations: ORDERS,
    },
    (args, protocol) => order(context, readCall(server, protocol), '/v1/images/actions', args),
  );
}

async function order(context: ToolContext, call: ToolCall, path: OrderPath, args: OrderArguments): Promise<ToolResult> {
  const { idempotency_key: key, wait_seconds: seconds, approval, ...fields } = args;
  const request = { path, fields: fields as JsonObject, key, approval };
  return await placeCall<TaskView | Tombstone>(context, call, request, async (task, more) => {
    if (!('urls' in task)) {
      return dataResult({ ...task, ...more }, `${task.task_id} was ordered before with this key, and deleted since.`);
    }
    if (call.takesTasks && !isFinal(task)) return taskOffer(task);
    return await taskResult(context, await waitAsLongAs(context, call, task, seconds), more);
  });
}

/** Waits for a placed order. If waiting fails, the answer still names the task. */
async function waitAsLongAs(context: ToolContext, call: ToolCall, task: TaskView, seconds: number): Promise<TaskView> {
  if (isFinal(task) || seconds === 0) return task;
  const { signal } = call.protocol.mcpReq;
  return await waitForTask(context, task.task_id, waitLeft(call, seconds), signal).catch((_: Refusal) => task);
}
