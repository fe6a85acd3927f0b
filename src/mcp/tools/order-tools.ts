import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JsonObject } from '../../base/canonical-json.ts';
import type { TaskView } from '../../wire/task.ts';
import { approvedPrice, askForApproval } from '../approval.ts';
import type { Refusal } from '../call-api.ts';
import { isFinal, waitForTask } from '../follow-task.ts';
import { type OrderPath, orderOf } from '../order.ts';
import { placeOrder } from '../place-order.ts';
import { taskOffer } from '../protocol-tasks.ts';
import { dataResult, errorResult, taskResult } from '../results.ts';
import type { ToolCall, ToolContext, ToolResult } from '../tool-context.ts';
import { ORDERS, readCall, WaitSeconds } from './tool-parts.ts';

const REST =
  'All other arguments are fields of the model as read_model lists them, sent at the top level (aspect_ratio, resolution, image_urls, seed …). Local files cannot be read: media fields take https addresses, data URIs, upload:<file_id> or task:<task_id>.';
const COSTS =
  'It costs money. Equal calls order once: a repeated call returns the first task. For another result of the same words pass a new idempotency_key.';

const orderFields = {
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Names this order. Calls with the same key and arguments are one order. Default: made of the arguments.'),
  wait_seconds: WaitSeconds,
  approval: z.string().optional().describe('Only from an answer that asked for approval, after a person agreed.'),
};

const Create = z.looseObject({
  model_id: z.string().describe('A model that search_models found.'),
  prompt: z.string().optional().describe('What to make. Some models can do without if they get media.'),
  ...orderFields,
});

const Action = z.looseObject({
  parent_task_id: z.string().describe('A picture task of yours that succeeded.'),
  action: z.string().describe("One of the task's available_actions, such as upscale, variation, reroll, zoom_out."),
  index: z.int().min(1).max(4).optional().describe('The tile of a grid: 1 top left to 4 bottom right.'),
  prompt: z.string().optional().describe("Replaces the parent's prompt where the action takes one."),
  ...orderFields,
});

type OrderArguments = z.output<typeof Create> | z.output<typeof Action>;

/** The tools that cost money. */
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
      description: `Orders a follow-up on a finished picture: upscale, vary, zoom out, pan, remix … The task's available_actions list what is possible, with prices and fields; those fields go to the top level. ${COSTS}`,
      inputSchema: Action,
      annotations: ORDERS,
    },
    (args, protocol) => order(context, readCall(server, protocol), '/v1/images/actions', args),
  );
}

async function order(context: ToolContext, call: ToolCall, path: OrderPath, args: OrderArguments): Promise<ToolResult> {
  const { idempotency_key: ownKey, wait_seconds: seconds, approval, ...fields } = args;
  let key = ownKey;
  try {
    const wanted = orderOf(path, fields as JsonObject, ownKey, context.conversation);
    key = wanted.key;
    const approved = await approvedPrice(context, call, wanted, approval);
    const placement = await placeOrder(context, wanted, approved);
    if (placement.kind === 'needs approval') return await askForApproval(context, call, wanted, placement);
    const { task, replayed } = placement;
    const more = { idempotency_key: key, replayed };
    if (!('urls' in task)) {
      return dataResult({ ...task, ...more }, `${task.task_id} was ordered before with this key, and deleted since.`);
    }
    if (call.takesTasks && !isFinal(task)) return taskOffer(task);
    return await taskResult(context, await waitAsLongAs(context, call, task, seconds), more);
  } catch (error) {
    return errorResult(error, key === undefined ? {} : { idempotency_key: key });
  }
}

/** The order is placed: if it cannot be waited for, the answer still names the task. */
async function waitAsLongAs(
  context: ToolContext,
  { protocol }: ToolCall,
  task: TaskView,
  seconds: number,
): Promise<TaskView> {
  if (isFinal(task) || seconds === 0) return task;
  const { signal } = protocol.mcpReq;
  return await waitForTask(context, task.task_id, seconds, signal).catch((_: Refusal) => task);
}
