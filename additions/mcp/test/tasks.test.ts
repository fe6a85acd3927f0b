import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import type { ToolData } from '../../../test/helpers/mcp-clients.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys } = service;
const TASKS = 'io.modelcontextprotocol/tasks';

/** An answer of the protocol; a test reads the fields of the method that it called. */
interface Message {
  readonly result: McpResult;
  readonly error: { readonly code: number; readonly data: { readonly code: string } };
}

interface McpResult {
  readonly resultType: string;
  readonly taskId: string;
  readonly status: string;
  readonly createdAt: string;
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string }[];
  readonly structuredContent: ToolData;
  readonly capabilities: { readonly extensions: object };
  readonly result?: McpResult;
}

/** A message of revision 2026-07-28, of a client that declares these extensions. */
async function send(method: string, params: object, extensions: object = { [TASKS]: {} }, key = keys.test) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  };
  const { name, taskId } = params as { readonly name?: string; readonly taskId?: string };
  const subject = name ?? taskId;
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(subject === undefined ? {} : { 'mcp-name': subject }),
  };
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  const { body } = await call(key, 'POST', '/mcp', message, headers);
  return body as Message;
}

const order = async (prompt: string, simulate: object, extensions?: object) =>
  send('tools/call', { name: 'create_picture', arguments: { model_id: 'sketch', prompt, simulate } }, extensions);

/** Reads a task of the protocol until it is no longer working. */
async function settled(taskId: string) {
  for (;;) {
    const { result } = await send('tasks/get', { taskId });
    assert.ok(isDetailedTaskV2(result), JSON.stringify(result));
    if (result.status !== 'working') return result;
    await call(keys.test, 'GET', `/v1/images/${taskId}`, undefined, { prefer: 'wait=10' });
  }
}

test('an order becomes a task of the protocol with the same id, and its result is that of the tool', async () => {
  const { result } = await order('a heron', { seconds: 0.5 });
  assert.ok(isCreateTaskResultV2(result), JSON.stringify(result));
  assert.equal(result.resultType, 'task');
  const stored = await call(keys.test, 'GET', `/v1/images/${result.taskId}`);
  assert.equal(stored.data.created_at, result.createdAt);
  const done = await settled(result.taskId);
  assert.equal(done.status, 'completed');
  assert.deepEqual(
    done.result.content.map((block) => block.type),
    ['text', 'image', 'resource_link'],
  );
  assert.equal(done.result.structuredContent.cost.state, 'charged');
});

test('a failed order is a completed task with an error, and a repeated call of a final order answers its result', async () => {
  const simulate = { outcome: 'upstream_error', seconds: 0.3 };
  const { taskId } = (await order('a failing heron', simulate)).result;
  const done = await settled(taskId);
  assert.deepEqual([done.status, done.result?.isError], ['completed', true]);
  const { result } = await order('a failing heron', simulate);
  assert.deepEqual([result.resultType, result.structuredContent.task_id], ['complete', taskId]);
});

test('a client that did not declare the extension gets no task', async () => {
  const { result } = await order('a patient heron', { seconds: 0.3 }, {});
  assert.deepEqual([result.resultType, result.structuredContent.status], ['complete', 'succeeded']);
});

test('a task can be canceled, updated without effect, and read by its own key only', async () => {
  const { taskId } = (await order('a slow heron', { seconds: 3_600 })).result;
  assert.equal((await send('tasks/update', { taskId, inputResponses: {} })).result.resultType, 'complete');
  // The engine cannot stop a running order: the request is taken, and the task goes on.
  assert.equal((await send('tasks/cancel', { taskId })).result.resultType, 'complete');
  assert.match((await send('tasks/get', { taskId })).result.status, /^(working|cancelled)$/);
  const { key } = await service.issueKey({ mode: 'test' });
  const foreign = await send('tasks/get', { taskId }, undefined, key);
  assert.deepEqual([foreign.error.code, foreign.error.data.code], [-32602, 'task_not_found']);
  assert.equal((await send('tasks/get', { taskId: 'img_nobody' })).error.code, -32602);
});

test('the server declares the extension', async () => {
  const { result } = await send('server/discover', {});
  assert.deepEqual(result.capabilities.extensions, { [TASKS]: {} });
});

test('a batch becomes a task of the protocol with its id, and can be canceled as one', async () => {
  const body = { model_id: 'sketch', prompt: 'a heron', simulate: { seconds: 0.5 } };
  const orders = [{ operation: 'images', body, vary: { seed: [1, 2] } }];
  const { result } = await send('tools/call', { name: 'create_batch', arguments: { orders } });
  assert.ok(isCreateTaskResultV2(result), JSON.stringify(result));
  const { taskId } = result;
  const done = await until(
    async () => (await send('tasks/get', { taskId })).result,
    ({ status }) => status !== 'working',
  );
  assert.ok(isDetailedTaskV2(done), JSON.stringify(done));
  assert.equal(done.status, 'completed');
  assert.deepEqual(done.result?.structuredContent.counts.succeeded, 2);

  const stuck = [{ operation: 'images', body: { ...body, simulate: { outcome: 'stuck' } } }];
  const slow = (await send('tools/call', { name: 'create_batch', arguments: { orders: stuck } })).result.taskId;
  assert.equal((await send('tasks/update', { taskId: slow, inputResponses: {} })).result.resultType, 'complete');
  assert.equal((await send('tasks/cancel', { taskId: slow })).result.resultType, 'complete');
  assert.ok((await call(keys.test, 'GET', `/v1/batches/${slow}`)).data.cancel_requested_at !== null);
  const { key } = await service.issueKey({ mode: 'test' });
  assert.equal((await send('tasks/get', { taskId: slow }, undefined, key)).error.code, -32602);
});
