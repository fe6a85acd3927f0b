import type { Attack } from '../attack.ts';
import { bearer, flood } from './flood.ts';

/** NFKC makes 18 characters of each. */
const EXPANDING = '\u{FDFA}'.repeat(7_900);
/** NFKC sorts them, which takes time that grows with the square of their number. */
const MARKS = '\u0316\u0300'.repeat(3_950);
/** Longer together, as they are compared, than one search examines; and placed well before the attack ends. */
const PROMPTS = 100;

/** Small requests that have the service work over long texts: arguments of tools, and searches over prompts. */
export const TEXT_ATTACKS: readonly Attack[] = [
  toolCall('a model search with 120,000 words', 'search_models', { query: 'e '.repeat(120_000) }),
  toolCall('a model search with the longest query', 'search_models', { query: 'e '.repeat(250) }),
  toolCall('a tool that reads a model of a long name', 'read_model', { model_id: 'a/'.repeat(100_000) }),
  toolCall('a price of a long prompt by MCP', 'quote', { model_id: 'sketch', prompt: 'e '.repeat(120_000) }),
  toolCall('an order by MCP with 1,900 fields', 'create_picture', {
    model_id: 'sketch',
    ...Object.fromEntries(Array.from({ length: 1_900 }, (_, place) => [`field_${place}`, place])),
  }),
  toolCall('a film by MCP with a long prompt', 'create_film', { model_id: 'sketch-motion', prompt: EXPANDING }),
  toolCall('an action by MCP on a long id', 'act_on_picture', { parent_task_id: '.'.repeat(240_000), action: 'pan' }),
  toolCall('a batch by MCP of faulty orders', 'create_batch', {
    orders: Array.from({ length: 400 }, () => ({ operation: 'images', body: { model_id: 'e '.repeat(200) } })),
  }),
  toolCall('a list by MCP after a long id', 'list_tasks', { after: '0'.repeat(240_000) }),
  toolCall('a wait by MCP for a long id', 'wait_for_task', { task_id: 'x'.repeat(240_000), wait_seconds: 0 }),
  toolCall('a cancel by MCP of a long id', 'cancel_task', { task_id: '%2e'.repeat(80_000) }),
  searches('searches over text that normalization makes long', EXPANDING),
  searches('searches over text of marks that normalization sorts', MARKS),
];

function searches(name: string, prompt: string): Attack {
  return {
    name,
    who: 'test key',
    prepare: async () => {
      const body = { model_id: 'sketch', prompt, simulate: { outcome: 'stuck' } };
      return Buffer.from(JSON.stringify({ orders: Array(PROMPTS).fill({ operation: 'images', body }) }));
    },
    async run({ url, testKey }, signal, body) {
      const headers = bearer(testKey);
      const batch = { path: '/v1/batches', headers, body };
      const placed = await flood({ url, connections: 1, most: 1, signal, shot: () => batch });
      const search = { path: '/v1/images?search=qq', headers };
      return `${placed} placed; ${await flood({ url, connections: 60, most: 400, signal, shot: () => search })}`;
    },
  };
}

function toolCall(name: string, tool: string, args: object): Attack {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
  return {
    name,
    who: 'test key',
    prepare: async () => Buffer.from(JSON.stringify(message)),
    run({ url, testKey }, signal, body) {
      const headers = { ...bearer(testKey), accept: 'application/json, text/event-stream' };
      return flood({ url, connections: 12, most: 120, signal, shot: () => ({ path: '/mcp', headers, body }) });
    },
  };
}
