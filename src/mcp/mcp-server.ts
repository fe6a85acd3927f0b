import { McpServer } from '@modelcontextprotocol/server';
import { addProtocolTasks, TASKS_EXTENSION } from './protocol-tasks.ts';
import type { ToolContext } from './tool-context.ts';
import { addModelTools } from './tools/model-tools.ts';
import { addOrderTools } from './tools/order-tools.ts';
import { addTaskTools } from './tools/task-tools.ts';

/** The version of the interface, as in the OpenAPI document. */
const VERSION = '1.0.0';
const TOOLS_STAY_MS = 3_600_000;

const INSTRUCTIONS = [
  'Darkroom makes pictures and films with models of many vendors.',
  'Find a model with search_models, read its fields with read_model, then call create_picture or create_film.',
  'Orders cost money: tell the price (quote) if the user should know it, and never order again because an answer is slow or lost. Call wait_for_task with the task_id, or repeat the same call, which returns the same task.',
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
  addTaskTools(server, context);
  addProtocolTasks(server, context);
  return server;
}
