import { McpServer } from '@modelcontextprotocol/server';
import { addProtocolTasks, TASKS_EXTENSION } from './protocol-tasks.ts';
import type { ToolContext } from './tool-context.ts';
import { addBatchTools } from './tools/batch-tools.ts';
import { addModelTools } from './tools/model-tools.ts';
import { addOrderTools } from './tools/order-tools.ts';
import { addTaskTools } from './tools/task-tools.ts';

/** The version of the interface, as in the OpenAPI document. */
const VERSION = '1.0.0';
const TOOLS_STAY_MS = 3_600_000;

const INSTRUCTIONS = [
  'Darkroom makes pictures and films with models of many vendors.',
  'Find a model with search_models, read its fields with read_model, then call create_picture or create_film.',
  'Order several at once with create_batch. With wait_for_parent: true an order can use a task_id that is not finished, so a film of a picture can be ordered right after the picture.',
  'Orders cost money: tell the price (quote) if the user should know it, and never order again because an answer is slow or lost. Call wait_for_task with its id, or repeat the same call, which returns the same order.',
  'Show the user the link to the original; the picture in a result is a small preview.',
].join(' ');

/** Makes a server with all tools, for one connection or one request. It is not connected yet. */
export function createMcpServer(context: ToolContext): McpServer {
  const server = new McpServer(
    { name: 'darkroom', title: 'Darkroom', version: VERSION },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: {}, extensions: { [TASKS_EXTENSION]: {} } },
      requestState: { verify: (state, protocol) => context.approvals.verify(state, protocol) },
      cacheHints: { 'tools/list': { ttlMs: TOOLS_STAY_MS, cacheScope: 'private' } },
    },
  );
  addModelTools(server, context);
  addOrderTools(server, context);
  addBatchTools(server, context);
  addTaskTools(server, context);
  addProtocolTasks(server, context);
  return server;
}
