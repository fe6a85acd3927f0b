import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A service on all addresses whose operator has named no public URL: it links to where each request came. */

const service = await startTestService(wholeFile, {
  env: { DARKROOM_HOST: '0.0.0.0' },
  service: { engines: [createSwiftEngine()] },
});
const { port } = new URL(service.url);
const own = `http://localhost:${port}`;
const { keys } = service;

/** Sends a request by a name that leads to this machine. */
async function ask(host: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const sent = request(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, authorization: `Bearer ${keys.test}`, 'content-type': 'application/json', ...headers },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  return { headers: answer.headers, body: await text(answer) };
}

/** The addresses of services that an answer names. */
const addressesIn = (body: string) => [
  ...new Set([...body.matchAll(/https?:\/\/[^/"\s<]+(?=\/(?:v1|files|docs|shares|clients|mcp|examples)\b)/g)].flat()),
];

const MCP_HEADERS = { accept: 'application/json, text/event-stream' };
const toolCall = (id: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'wait_for_task', arguments: { task_id: id, wait_seconds: 0 } },
});

test('every link of an answer begins with the host of its request', async () => {
  const order = { model_id: 'sketch', prompt: 'a fox' };
  const hosts = ['studio.lan:9000', 'pictures.example.com', '[::1]:8080', '192.0.2.7:80'];
  await Promise.all(
    hosts.map(async (host) => {
      const here = [`http://${host}`];
      const placed = await ask(host, '/v1/images', order, { prefer: 'wait=45' });
      const { task_id: id, outputs } = JSON.parse(placed.body).data;
      assert.equal(outputs.length, 1, placed.body);
      assert.equal(placed.headers.location, `http://${host}/v1/images/${id}`);
      const share = await ask(host, '/v1/shares', { task_id: id });
      const batch = await ask(host, '/v1/batches', { orders: [{ operation: 'images', body: order }] });
      const { batch_id: batchId } = JSON.parse(batch.body).data;
      const openai = { model: 'sketch', prompt: 'a fox', response_format: 'url' };
      const answers = [
        placed,
        share,
        batch,
        await ask(host, `/v1/images/${id}`),
        await ask(host, '/v1/images?limit=1'),
        await ask(host, '/v1/images?search=fox'),
        await ask(host, `/v1/images/${id}/events`),
        await ask(host, `/v1/batches/${batchId}`),
        await ask(host, `/v1/batches/${batchId}/events`),
        await ask(host, `/v1/batches/${batchId}/tasks`),
        await ask(host, `/v1/batches/${batchId}/results`),
        await ask(host, '/mcp', toolCall(id), MCP_HEADERS),
        await ask(host, '/openai/v1/images/generations', openai),
        await ask(host, '/v1/images/img_none'),
        await ask(host, '/nothing'),
        await ask(host, '/.well-known/oauth-protected-resource'),
      ];
      for (const { body } of answers) assert.deepEqual(addressesIn(body), here, body);
      const { servers } = JSON.parse((await ask(host, '/openapi.json')).body);
      assert.deepEqual(
        servers.map(({ url }: { readonly url: string }) => url),
        here,
      );
      assert.ok((await ask(host, '/docs')).body.includes(`http://${host}/v1/`));
      assert.ok(!(await ask(host, '/docs/webhooks')).body.includes(own));
    }),
  );
});

test('a request whose host can be in no link is answered with links to localhost', async () => {
  for (const host of ['0.0.0.0:8080', '[::]:8080', '[::0]', 'a;b', "a'b", ':80']) {
    const { body } = await ask(host, '/v1/images/img_none');
    assert.deepEqual(addressesIn(body), [own], `${host} ${body}`);
  }
  assert.equal(service.url, own);
});

test('what is signed names no host that a request may choose', async () => {
  const host = 'pictures.example.com';
  const made = await ask(host, '/v1/images', { model_id: 'sketch', prompt: 'a fox' }, { prefer: 'wait=45' });
  const { body } = await ask(host, `/v1/images/${JSON.parse(made.body).data.task_id}/receipt`);
  assert.equal(JSON.parse(body).data.content.issuer, null, body);
});

test('a file is used again by its link under any of these hosts', async () => {
  const made = await ask('studio.lan', '/v1/images', { model_id: 'sketch', prompt: 'a fox' }, { prefer: 'wait=45' });
  const [output] = JSON.parse(made.body).data.outputs;
  const body = { model_id: 'sketch', prompt: 'again', image_urls: [output.url] };
  const again = await ask('studio.lan', '/v1/images', body, { prefer: 'wait=45' });
  assert.equal(JSON.parse(again.body).data?.status, 'succeeded', again.body);
});
