import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AbortError,
  ApiError,
  ConnectionError,
  Darkroom,
  type DarkroomError,
  isDarkroomError,
  TaskCanceledError,
  TaskFailedError,
  WaitTimeoutError,
} from '@darkroom/client';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { startTestService } from '../../helpers/service.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { type Fault, openFaultProxy } from '../fault-proxy.ts';

const service = await startTestService(wholeFile);
const ORDER = { model_id: 'sketch', prompt: 'a red fox in the snow', resolution: '0.5K' } as const;
const CREATE = /^POST \/v1\/images$/;

/** A key of its own, a proxy before the service, and a client of that proxy. */
async function prepare(
  t: Parameters<typeof openFaultProxy>[0],
  options: ConstructorParameters<typeof Darkroom>[0] = {},
) {
  const { key } = await service.issueKey({ mode: 'test' });
  const proxy = await openFaultProxy(t, service.url);
  const client = new Darkroom({ baseUrl: proxy.url, apiKey: key, ...options });
  const direct = new Darkroom({ baseUrl: service.url, apiKey: key });
  const tasks = async () => (await direct.images.list().page()).items;
  const holds = async () => (await direct.account.ledger().page()).items.filter(({ kind }) => kind === 'hold').length;
  return { proxy, client, direct, tasks, holds };
}

async function failure(call: Promise<unknown>): Promise<DarkroomError> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  return isDarkroomError(error) ? error : assert.fail(String(error));
}

test('an order is made, waited for and charged once', async (t) => {
  const { client, holds } = await prepare(t);
  const updates: string[] = [];
  const fox = await client.images.generate(ORDER, { onUpdate: ({ status }) => updates.push(status) });
  assert.equal(fox.task.status, 'succeeded');
  assert.equal(fox.task.cost.state, 'charged');
  assert.equal(fox.output.content_type, 'image/png');
  assert.equal(updates.at(-1), 'succeeded');
  assert.equal(await holds(), 1);
});

const LOSSES: readonly (readonly [string, readonly Fault[]])[] = [
  ['whose answers are dropped after the service took it', ['lose answer', 'lose answer']],
  ['that does not reach the service at first', ['cut before']],
  ['whose answer is cut', [{ cutAfter: 40 }]],
  ['whose answer a proxy replaces by 502', [{ status: 502, body: '<html>Bad Gateway</html>' }]],
  ['whose answer a proxy replaces by an empty 200', [{ status: 200, body: '' }]],
];
for (const [what, faults] of LOSSES)
  test(`an order ${what} is sent again with the same key and body, and made once`, async (t) => {
    const { client, proxy, tasks, holds } = await prepare(t);
    proxy.fail(CREATE, ...faults);
    const handle = await client.images.create(ORDER);
    const creates = proxy.sent(CREATE);
    assert.equal(creates.length, faults.length + 1);
    assert.deepEqual(
      new Set(creates.map(({ headers }) => headers['idempotency-key'])),
      new Set([handle.idempotencyKey]),
    );
    assert.deepEqual(
      (await tasks()).map((task) => task.task_id),
      [handle.taskId],
    );
    assert.equal(await holds(), 1);
    assert.equal(handle.replayed, faults[0] !== 'cut before');
  });

test('an order whose answer takes too long is sent again, and made once', async (t) => {
  const { client, proxy, tasks } = await prepare(t);
  proxy.fail(CREATE, 'drop answer');
  const handle = await client.images.create(ORDER, { responseTimeoutMs: 3_000 });
  assert.deepEqual(
    (await tasks()).map((task) => task.task_id),
    [handle.taskId],
  );
});

test('an order whose every answer is lost keeps its key, and the key finds the task', async (t) => {
  const { client, proxy, tasks, holds } = await prepare(t);
  proxy.fail(CREATE, 'lose answer', 'lose answer');
  const error = await failure(client.images.generate(ORDER, { retries: 1 }));
  assert.ok(error instanceof ConnectionError);
  assert.deepEqual([error.code, error.ordered, error.taskId], ['connection_error', 'unknown', null]);
  assert.match(error.message, new RegExp(`idempotencyKey "${error.idempotencyKey}"`));
  const handle = await client.images.create(ORDER, { idempotencyKey: error.idempotencyKey ?? '' });
  assert.equal(handle.replayed, true);
  assert.deepEqual(
    (await tasks()).map((task) => task.task_id),
    [handle.taskId],
  );
  assert.equal(await holds(), 1);
});

test('an order for an address where nothing listens is certainly not placed', async () => {
  const client = new Darkroom({ baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: 'dk_test_none', retries: 1 });
  const error = await failure(client.images.generate(ORDER));
  assert.ok(error instanceof ConnectionError);
  assert.deepEqual([error.ordered, error.status], ['no', null]);
  assert.match(error.message, /Nothing was ordered/);
});

test('a body that changes while it is repeated is sent as it was', async (t) => {
  const { client, proxy, tasks } = await prepare(t);
  proxy.fail(CREATE, 'lose answer');
  const order = { ...ORDER, prompt: 'a lighthouse' as string };
  const placed = client.images.create(order);
  order.prompt = 'another one';
  assert.equal((await placed).task.input.prompt, 'a lighthouse');
  assert.equal((await tasks()).length, 1);
});

test('a refusal that is not retryable is sent once and names the faulty field', async (t) => {
  const { client, proxy } = await prepare(t);
  const error = await failure(client.images.create({ ...ORDER, aspect_ratio: '7:3' } as never));
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, error.code, error.param], [400, 'unsupported_value', 'aspect_ratio']);
  assert.deepEqual([error.ordered, error.retryable], ['no', false]);
  assert.equal(proxy.seen.length, 1);
});

test('a refusal that is retryable is repeated after the time that it names', async (t) => {
  const { client, proxy, tasks } = await prepare(t);
  const error = {
    status: 503,
    code: 'service_unavailable',
    message: 'later',
    param: null,
    details: [],
    retryable: true,
  };
  const body = JSON.stringify({ error: { ...error, request_id: 'req_1', docs_url: '' }, timestamp: '' });
  const busy: Fault = { status: 503, body, headers: { 'retry-after': '1' } };
  proxy.fail(CREATE, busy, busy);
  const started = performance.now();
  await client.images.create(ORDER);
  assert.ok(performance.now() - started >= 2_000);
  assert.equal((await tasks()).length, 1);

  proxy.fail(CREATE, { ...busy, headers: { 'retry-after': '3600' } });
  const later = await failure(client.images.create(ORDER));
  assert.ok(later instanceof ApiError);
  assert.deepEqual([later.retryAfterSeconds, later.ordered], [3600, 'unknown']);
});

test('a key that cannot pay is told so by the code of the error', async () => {
  const accountId = await service.createAccount(0);
  const { key } = await service.issueKey({ mode: 'live', accountId });
  const error = await failure(new Darkroom({ baseUrl: service.url, apiKey: key }).images.create(ORDER));
  assert.ok(isDarkroomError(error, 'insufficient_balance', 'spend_limit_reached'), error.code);
  assert.equal(isDarkroomError(error, 'task_not_found'), false);
});

test('an aborted create says that the order is unknown, and its key finds the task', async (t) => {
  const { client, proxy, tasks } = await prepare(t);
  proxy.fail(CREATE, 'drop answer');
  const controller = new AbortController();
  const placed = failure(client.images.create(ORDER, { signal: controller.signal }));
  await proxy.count(CREATE, 1);
  while ((await tasks()).length === 0);
  controller.abort('the user left');
  const error = await placed;
  assert.ok(error instanceof AbortError);
  assert.deepEqual([error.name, error.ordered, error.cause], ['AbortError', 'unknown', 'the user left']);
  const handle = await client.images.create(ORDER, { idempotencyKey: error.idempotencyKey ?? '' });
  assert.deepEqual(
    (await tasks()).map((task) => task.task_id),
    [handle.taskId],
  );
});

test('an aborted wait names the task, and the task continues', async (t) => {
  const { client, direct } = await prepare(t);
  const controller = new AbortController();
  const stop = ({ status }: { readonly status: string }) => status === 'processing' && controller.abort();
  const order = { ...ORDER, simulate: { seconds: 1 } };
  const error = await failure(client.images.generate(order, { signal: controller.signal, onUpdate: stop }));
  assert.ok(error instanceof AbortError);
  assert.equal(error.task?.status, 'processing');
  assert.equal(error.cost?.state, 'held');
  assert.equal(typeof error.idempotencyKey, 'string');
  assert.match(error.message, new RegExp(`task ${error.taskId} is not lost`));
  assert.equal((await direct.images.wait(error.taskId ?? '')).status, 'succeeded');
});

test('a wait that takes too long names the task, which can be waited for again or canceled', async (t) => {
  const { client } = await prepare(t);
  const order = { ...ORDER, simulate: { outcome: 'stuck' as const } };
  const error = await failure(client.images.generate(order, { timeoutMs: 2_000 }));
  assert.ok(error instanceof WaitTimeoutError);
  assert.equal(error.code, 'wait_timeout');
  const handle = client.images.handle(await client.images.get(error.taskId ?? ''));
  await handle.cancel();
  assert.equal((await handle.wait()).status, 'canceled');
  const canceled = await failure(handle.result());
  assert.ok(canceled instanceof TaskCanceledError);
  assert.equal(canceled.cost?.state, 'released');
});

test('a failed task is told with its reason, and that nothing was charged', async (t) => {
  const { client } = await prepare(t);
  const simulate = { outcome: 'content_policy', seconds: 0 } as const;
  const error = await failure(client.images.generate({ ...ORDER, simulate }));
  assert.ok(error instanceof TaskFailedError);
  assert.deepEqual([error.code, error.retry, error.cost?.state], ['content_policy', 'never', 'released']);
});

test('an order with a key whose task was deleted is no new order', async (t) => {
  const { client, tasks } = await prepare(t);
  const fox = await client.images.generate(ORDER, { idempotencyKey: 'fox-1' });
  assert.equal((await fox.delete()).task_id, fox.taskId);
  const error = await failure(client.images.create(ORDER, { idempotencyKey: 'fox-1' }));
  assert.deepEqual([error.code, error.taskId], ['deleted', fox.taskId]);
  assert.deepEqual(await tasks(), []);
});

test('an address that is not a service is told as such', async (t) => {
  const { proxy, client } = await prepare(t);
  proxy.fail(/./, { status: 404, body: '<html>' });
  assert.equal((await failure(client.images.create(ORDER))).code, 'unexpected_response');
  proxy.fail(/./, { status: 301, body: '', headers: { location: 'https://example.com/' } });
  assert.match((await failure(client.images.create(ORDER))).message, /redirects to https:\/\/example\.com\//);
});
