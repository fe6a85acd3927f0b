import {
  type CatalogEntry,
  cutText,
  type JsonObject,
  type ModelView,
  type OwnAccountView,
  type QuoteView,
} from '@darkroom-service/contract';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { callForData } from '../call-api.ts';
import { parentModel, quoteBatch } from '../place-order.ts';
import { dataResult, errorResult } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';
import { BatchOrders, fallbackFields, Name, openFields, priceFields, READS } from './tool-parts.ts';

const MOST_FOUND = 50;
const LONGEST_QUERY = 500;

const Search = z.strictObject({
  query: z
    .string()
    .max(LONGEST_QUERY)
    .optional()
    .describe('Words of the name, the vendor, the description or the features.'),
  type: z.enum(['image', 'video']).optional(),
  limit: z.int().min(1).max(MOST_FOUND).default(15),
});
const Read = z.strictObject({ model_id: Name });
const Question = openFields({
  model_id: Name.optional().describe('The model; for an action it may be left out.'),
  action: Name.optional().describe('A follow-up action, to get its price.'),
  parent_task_id: Name.optional().describe('The task that the action follows up on.'),
  ...priceFields,
  ...fallbackFields,
  orders: BatchOrders.optional().describe('The orders of a batch, to get the price of all together.'),
});

/** Adds the tools for choosing a model: they order nothing. */
export function addModelTools(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'search_models',
    {
      title: 'Search models',
      description:
        'Finds models that make pictures or films and that your key can order now, with their lowest price in US dollars.',
      inputSchema: Search,
      annotations: READS,
    },
    async ({ query = '', type, limit }) =>
      await answer(async () => {
        const path = type === undefined ? '/v1/models' : `/v1/models?type=${type}`;
        const { items } = await callForData<{ readonly items: readonly CatalogEntry[] }>(context.call, {
          method: 'GET',
          path,
        });
        const words = [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))];
        const found = items.filter((model) => {
          const text = textOf(model);
          return words.every((word) => text.includes(word));
        });
        return dataResult({ items: found.slice(0, limit).map(rowOf), found: found.length });
      }),
  );
  server.registerTool(
    'read_model',
    {
      title: 'Read a model',
      description:
        'Returns the fields that a model accepts, with their values and defaults, which of them it requires, its rules, prices and limits.',
      inputSchema: Read,
      annotations: READS,
    },
    async ({ model_id }) =>
      await answer(async () => {
        const path = `/v1/models/${encodeURIComponent(model_id)}`;
        const { input_schema: _, ...model } = await callForData<ModelView>(context.call, { method: 'GET', path });
        return dataResult(model);
      }),
  );
  server.registerTool(
    'quote',
    {
      title: 'Quote a price',
      description:
        'Calculates the price of an order in US dollars. Takes the arguments of create_picture, create_film, act_on_picture or create_batch. Orders nothing. The amount is the most that the order would cost now; with allow_dearer or fallback_models the highest_amount is, and the order holds it.',
      inputSchema: Question,
      annotations: READS,
    },
    async (fields) => await answer(async () => dataResult(await quote(context, fields as JsonObject))),
  );
}

async function quote({ call }: ToolContext, fields: JsonObject): Promise<object> {
  const [quoted, { key }] = await Promise.all([
    fields.orders === undefined ? quoteOne(call, fields) : quoteBatch(call, fields),
    callForData<OwnAccountView>(call, { method: 'GET', path: '/v1/account' }),
  ]);
  return { ...quoted, approve_over: key.approve_over };
}

async function quoteOne(call: ToolContext['call'], fields: JsonObject): Promise<QuoteView> {
  const parent = fields.model_id === undefined ? await parentModel(call, fields.parent_task_id) : {};
  return await callForData<QuoteView>(call, { method: 'POST', path: '/v1/prices', body: { ...parent, ...fields } });
}

async function answer(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return errorResult(error);
  }
}

function textOf(model: CatalogEntry): string {
  const { model_id, name, vendor, description, type, supported_features } = model;
  return [model_id, name, vendor, description, type, ...supported_features].join(' ').toLowerCase();
}

function rowOf(model: CatalogEntry) {
  const { model_id, name, vendor, type, status, required, supported_features, actions, typical_seconds } = model;
  return {
    model_id,
    name,
    vendor,
    type,
    status,
    required,
    supported_features,
    actions,
    description: cutText(model.description, 200),
    price_from: model.pricing.from,
    typical_seconds,
  };
}
