/**
 * Makes pictures through LiteLLM's proxy: as models of its list, one of which LiteLLM has no price for and one of which
 * is slow, and through a pass-through endpoint. LiteLLM must book what Darkroom charges. Run it by hand:
 *
 *     pip install 'litellm[proxy]'
 *     DARKROOM_TEST_LITELLM=…/bin/litellm node test/apps/litellm.ts
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { ordersAndCharges, SLOW_SECONDS, startAppService } from './app-service.ts';
import { findProgram, startProgram, temporaryDirectory } from './installed-program.ts';

const MASTER_KEY = 'sk-test-of-darkroom';
const PROMPT = 'a red fox in the snow at dawn';
/** LiteLLM takes its price list from its package instead of the network. */
const OWN_PRICES = { LITELLM_LOCAL_MODEL_COST_MAP: 'True' };
/** Writes the cost that LiteLLM books for each call into a file. */
const COST_LOG = `
import json, os
from litellm.integrations.custom_logger import CustomLogger

class CostLog(CustomLogger):
    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        with open(os.environ["COST_LOG"], "a") as file:
            file.write(json.dumps({"cost": kwargs.get("response_cost")}) + "\\n")

cost_log = CostLog()
`;

await using stack = new AsyncDisposableStack();
const path = findProgram('DARKROOM_TEST_LITELLM', 'litellm', "pip install 'litellm[proxy]'");
const version = execFileSync(path, ['--version'], { encoding: 'utf8', env: { ...process.env, ...OWN_PRICES } }).trim();
const service = await startAppService(stack);
const { key } = await service.issueKey({ mode: 'test' });
const directory = await temporaryDirectory(stack);
const costs = join(directory, 'costs.jsonl');
const port = await freePort();
const proxy = `http://127.0.0.1:${port}`;
await writeFile(join(directory, 'cost_log.py'), COST_LOG);
// JSON is YAML too.
await writeFile(
  join(directory, 'config.yaml'),
  JSON.stringify({
    model_list: [
      { name: 'known', model: 'gpt-image-2', headers: {} },
      { name: 'unpriced', model: 'sketch', headers: {} },
      { name: 'slow', model: 'sketch', headers: { 'Darkroom-Simulate': `seconds=${SLOW_SECONDS}` } },
    ].map(({ name, model, headers }) => ({
      model_name: name,
      litellm_params: {
        model: `openai/${model}`,
        api_base: `${service.url}/openai/v1`,
        api_key: 'os.environ/DARKROOM_API_KEY',
        extra_headers: headers,
      },
      model_info: { mode: 'image_generation' },
    })),
    router_settings: { num_retries: 0 },
    litellm_settings: { callbacks: ['cost_log.cost_log'] },
    general_settings: {
      master_key: MASTER_KEY,
      pass_through_endpoints: [
        {
          path: '/darkroom/v1/images/generations',
          target: `${service.url}/openai/v1/images/generations`,
          headers: { Authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        },
      ],
    },
  }),
);
await startProgram(stack, {
  path,
  words: ['--config', 'config.yaml', '--host', '127.0.0.1', '--port', String(port)],
  variables: { DARKROOM_API_KEY: key, COST_LOG: costs, ...OWN_PRICES, PYTHONPATH: directory },
  directory,
  readyUrl: `${proxy}/health/liveliness`,
});

const results = [
  await order('/v1/images/generations', 'known'),
  await order('/v1/images/generations', 'unpriced'),
  await order('/v1/images/generations', 'slow'),
  await order('/darkroom/v1/images/generations', 'gpt-image-2'),
];
const booked = await until(
  async () => {
    const lines = (await readFile(costs, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    return lines.map((line): number => JSON.parse(line).cost);
  },
  ({ length }) => length >= results.length,
);
const record = await ordersAndCharges(service, key);
assert.equal(record.orders, results.length);
const sum = booked.reduce((total, cost) => total + cost, 0);
assert.equal(sum.toFixed(6), record.charged.toFixed(6), 'LiteLLM books what Darkroom charges');
console.log(JSON.stringify({ version, results, booked, ...record }, null, 2));

/** Orders one picture from the proxy. */
async function order(endpoint: string, model: string): Promise<object> {
  const began = performance.now();
  const response = await fetch(`${proxy}${endpoint}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: PROMPT, size: '1024x1024', n: 1 }),
  });
  const body = await response.text();
  assert.equal(response.status, 200, body.slice(0, 2_000));
  const [picture] = JSON.parse(body).data;
  const { format, width, height } = await sharp(Buffer.from(picture.b64_json, 'base64')).metadata();
  assert.ok(width >= 1024 && height >= 1024, `${width}x${height}`);
  const cost = [...response.headers].filter(([name]) => name.endsWith('response-cost'));
  const seconds = Math.round((performance.now() - began) / 1000);
  return { endpoint, model, seconds, picture: `${format} ${width}x${height}`, cost: Object.fromEntries(cost) };
}
