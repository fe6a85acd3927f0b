import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool, connectOverHttp, dataOf } from '../helpers/mcp-clients.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Bodies that are missing, lists that are empty, and names that no address can carry. */

const { url, call, keys, issueKey } = await startTestService(wholeFile, {
  service: { engines: [createSwiftEngine()] },
});
const told = ({ status, error }: Answer) => [status, error?.code, error?.param];
const order = { model_id: 'sketch', prompt: 'a fox' };

test('a request without the body that its route needs is refused, on every route', async () => {
  const { body: document } = await call(null, 'GET', '/openapi.json');
  let tried = 0;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      if (requestBody?.required !== true) continue;
      const key = path.startsWith('/admin/') ? keys.admin : keys.test;
      const address = path.replaceAll(/\{\w+\}/g, 'unknown');
      const { status, error } = await call(key, method.toUpperCase(), address);
      assert.ok(status >= 400 && status < 500, `${method} ${path}: ${status} ${error?.code}`);
      tried++;
    }
  assert.ok(tried >= 20);
  for (const path of ['/v1/batches', '/v1/batches/prices'] as const)
    assert.deepEqual(told(await call(keys.test, 'POST', path)), [400, 'invalid_json', null]);
  for (const path of ['images/generations', 'images/edits', 'videos', 'images/generations/async'] as const)
    assert.equal((await call(keys.test, 'POST', `/openai/v1/${path}`)).status, 400, path);
});

test('an empty list of models or origins allows none, and a list that is left out allows all', async () => {
  const tokenWith = async (more: object) => {
    const answer = await call(keys.test, 'POST', '/v1/client_tokens', { end_user: 'ann', ...more });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.data.token;
  };
  assert.deepEqual(told(await call(await tokenWith({ models: [] }), 'POST', '/v1/images', order)), [
    403,
    'model_not_allowed',
    'model_id',
  ]);
  assert.equal((await call(await tokenWith({}), 'POST', '/v1/images', order)).status, 201);
  const from = { origin: 'https://shop.example' };
  const noPage = await call(await tokenWith({ origins: [] }), 'POST', '/v1/images', order, from);
  assert.deepEqual(told(noPage), [403, 'forbidden', 'Origin']);
  assert.equal((await call(await tokenWith({}), 'POST', '/v1/images', order, from)).status, 201);
});

test('an empty list of models of a key is refused, and null allows all', async () => {
  const wish = { mode: 'test', name: 'a key' };
  const refused = await call(keys.admin, 'POST', '/admin/v1/keys', { ...wish, models: [] });
  assert.deepEqual(told(refused), [400, 'invalid_request', 'models']);
  assert.match(refused.error.message, /null = every model/);
  const { key_id: id } = await issueKey({ mode: 'test', models: ['flux-*'] });
  const changed = await call(keys.admin, 'PATCH', `/admin/v1/keys/${id}`, { models: [] });
  assert.deepEqual(told(changed), [400, 'invalid_request', 'models']);
  const opened = await call(keys.admin, 'PATCH', `/admin/v1/keys/${id}`, { models: null });
  assert.deepEqual([opened.status, opened.data.models], [200, []]);
});

test('end users that no address can carry are refused by name, also as a conversation of MCP', async (t) => {
  for (const name of ['.', '..']) {
    for (const path of ['/v1/images', '/v1/client_tokens'] as const) {
      const body = path === '/v1/images' ? { ...order, end_user: name } : { end_user: name };
      const answer = await call(keys.test, 'POST', path, body);
      assert.deepEqual(told(answer), [400, 'invalid_request', 'end_user'], path);
    }
    const headers = { accept: 'application/json, text/event-stream', 'darkroom-conversation': name };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const answer = await call(keys.test, 'POST', '/mcp', list, headers);
    assert.deepEqual(told(answer), [400, 'invalid_request', 'Darkroom-Conversation']);
  }
  const headers = { 'darkroom-conversation': '...', 'darkroom-budget': '5.00' };
  const client = await connectOverHttp(t, { url, key: keys.test, headers });
  assert.ok('task_id' in dataOf(await callTool(client, 'create_picture', order)));
});
