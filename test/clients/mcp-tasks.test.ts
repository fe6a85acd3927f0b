import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { CallToolResult } from '@modelcontextprotocol/client';
import {
  type CreateTaskSessionFromClientOptions,
  createTaskSessionFromClient,
  type RawClientDispatch,
  resultFromTaskOutcome,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { connectOverHttp, dataOf } from '../helpers/mcp-clients.ts';
import { startTestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** The official package for the tasks extension, over HTTP, as the host of an agent uses it. */

const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });
const { url, call } = service;
const VERSION = '2026-07-28';
const SESSION = 'darkroom-test';

type Ask = NonNullable<CreateTaskSessionFromClientOptions['onInputRequest']>;

type Dispatched = Awaited<ReturnType<RawClientDispatch>>;

interface Answered {
  readonly result: Extract<Dispatched, { kind: 'result' }>['result'];
  readonly error?: Extract<Dispatched, { kind: 'error' }>['error'];
}

/** The package leaves the sending of task messages to the host. */
function sender(key: string): RawClientDispatch {
  let id = 0;
  return async (message, { signal } = {}) => {
    const { method, params } = message as { readonly method: string; readonly params: Record<string, string> };
    id += 1;
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId ?? '',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      ...(signal === undefined ? {} : { signal }),
    });
    const { result, error } = (await response.json()) as Answered;
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
  };
}

async function openSession(t: TestContext, key: string, onInputRequest?: Ask): Promise<TaskEnabledSession> {
  const capabilities = { elicitation: {} };
  const client = await connectOverHttp(t, { url, key, options: { capabilities } });
  const session = createTaskSessionFromClient(client, {
    endpointId: SESSION,
    rawDispatch: sender(key),
    v2RequestFraming: {
      protocolVersion: VERSION,
      clientInfo: { name: 'test', version: '1.0.0' },
      clientCapabilities: capabilities,
    },
    ...(onInputRequest === undefined ? {} : { onInputRequest }),
  });
  t.after(() => session.close());
  return session;
}

const newKey = async (options = {}) => (await service.issueKey({ mode: 'test', ...options })).key;
const order = (prompt: string, simulate: Record<string, string | number>) => ({ model_id: 'sketch', prompt, simulate });
const kinds = (result: CallToolResult) => result.content.map(({ type }) => type);
const entriesOf = async (key: string): Promise<string[]> =>
  (await call(key, 'GET', '/v1/account/ledger')).data.items.map(({ kind }) => kind).sort();

test('the tasks package takes an order as a task and settles it with a thumbnail and a link', async (t) => {
  const key = await newKey();
  const session = await openSession(t, key);
  const execution = await session.callTool('create_picture', order('a heron', { seconds: 1 }));
  assert.equal(execution.kind, 'task');
  const { outcome } = await execution.settle();
  const result = resultFromTaskOutcome(outcome) as CallToolResult;
  assert.deepEqual(kinds(result), ['text', 'image', 'resource_link']);
  assert.deepEqual([dataOf(result).task_id, dataOf(result).status], [execution.handle?.taskId, 'succeeded']);
  assert.deepEqual(await entriesOf(key), ['charge', 'hold', 'release']);

  const again = await session.callTool('create_picture', order('a heron', { seconds: 1 }));
  assert.equal(again.kind, 'immediate', 'the repeated call finds the finished order');
  const found = resultFromTaskOutcome((await again.settle()).outcome) as CallToolResult;
  assert.deepEqual([dataOf(found).task_id, dataOf(found).replayed], [dataOf(result).task_id, true]);
});

test('the tasks package hands a task to another session, which settles it', async (t) => {
  const key = await newKey();
  const first = await openSession(t, key);
  const execution = await first.callTool('create_picture', order('a patient heron', { seconds: 2 }));
  assert.ok(execution.kind === 'task');
  const reference = execution.serializeReference();
  // The first host may die without a word. If it closed its session, the package would cancel the task.
  await execution.detach();
  const second = await openSession(t, key);
  const { outcome } = await (await second.resumeTask(reference)).settle();
  assert.equal(dataOf(resultFromTaskOutcome(outcome) as CallToolResult).task_id, reference.taskId);
  assert.deepEqual(await entriesOf(key), ['charge', 'hold', 'release']);
});

test('the tasks package asks a person for the price, and only then the order becomes a task', async (t) => {
  const key = await newKey({ approveOver: 0 });
  const asked: string[] = [];
  const onInputRequest = (async (request) => {
    asked.push(String(request.params?.message));
    assert.deepEqual(await entriesOf(key), [], 'nothing is ordered before the answer');
    return { action: 'accept', content: { approve: true } };
  }) as Ask;
  const session = await openSession(t, key, onInputRequest);
  const execution = await session.callTool('create_picture', order('a dear heron', { seconds: 1 }));
  assert.equal(execution.kind, 'task');
  const { outcome } = await execution.settle();
  assert.equal(dataOf(resultFromTaskOutcome(outcome) as CallToolResult).status, 'succeeded');
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? '', /costs .* USD/);
});

test('the tasks package is told of a failed order by an error result, and cancels one that waits', async (t) => {
  const key = await newKey();
  const session = await openSession(t, key);
  const failing = await session.callTool('create_picture', order('a failing heron', { outcome: 'upstream_error' }));
  const { outcome } = await failing.settle();
  const result = resultFromTaskOutcome(outcome) as CallToolResult;
  assert.deepEqual([result.isError, dataOf(result).error.code], [true, 'upstream_error']);

  const stuck = await session.callTool('create_picture', order('a stuck heron', { outcome: 'stuck' }));
  await stuck.cancel();
  assert.equal((await stuck.settle()).outcome.status, 'cancelled');
  // The engine stops the order after the client was answered.
  const entries = await until(
    () => entriesOf(key),
    ({ length }) => length === 4,
  );
  assert.deepEqual(entries, ['hold', 'hold', 'release', 'release'], 'nothing is charged');
});
