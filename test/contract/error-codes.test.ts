import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { ERROR_TABLE, type ErrorCode } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { DatabaseError } from 'pg';
import { anyTable } from '../helpers/any-table.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { openTestHttp } from '../helpers/http.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { openRaw, type RawAnswer, sendRaw } from '../helpers/raw-http.ts';
import { type Answer, type Refusal, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

let diskFault: Error | null = null;
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'old-one', status: 'retired', replaced_by: 'sketch' }),
  plainEntry({ model_id: 'house-style', routes: [{ engine: 'fal' }] }),
]);
const service = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: overlay.directory,
    DARKROOM_MAX_BODY_MB: '0.05',
    DARKROOM_MAX_UPLOAD_MB: '0.05',
    DARKROOM_KEY_STORAGE_MB: '0.001',
  },
  service: {
    engines: [createSwiftEngine()],
    commitHook: (moment, names) => {
      if (moment === 'before' && names.includes('create_task') && diskFault !== null) throw diskFault;
    },
  },
});
const { call, keys, issueKey } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
/** The error that the service answered, by its code. */
const provoked = new Map<string, Refusal>();

const CODES: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: [
    'invalid_json',
    'invalid_request',
    'unsupported_field',
    'unsupported_value',
    'missing_prompt',
    'missing_reference',
    'prompt_too_long',
    'invalid_reference',
    'unsupported_action',
  ],
  401: ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'revoked_api_key'],
  402: ['insufficient_balance', 'spend_limit_reached', 'end_user_limit_reached'],
  403: ['model_not_allowed', 'forbidden'],
  404: ['model_not_found', 'task_not_found', 'not_found'],
  405: ['method_not_allowed'],
  408: ['request_timeout'],
  409: [
    'parent_not_ready',
    'parent_not_usable',
    'not_cancelable',
    'not_refundable',
    'not_stuck',
    'orders_changed',
    'not_final',
    'price_exceeded',
    'storage_limit_reached',
    'share_limit_reached',
  ],
  410: ['model_retired', 'task_expired', 'outputs_expired'],
  413: ['body_too_large'],
  414: ['uri_too_long'],
  415: ['unsupported_media_type'],
  416: ['range_not_satisfiable'],
  417: ['expectation_failed'],
  422: ['idempotency_key_reused', 'model_not_offered'],
  429: ['rate_limited', 'queue_full'],
  431: ['headers_too_large'],
  500: ['internal_error'],
  503: ['model_unavailable', 'service_unavailable', 'storage_full', 'shutting_down'],
};
const STATUS_OF = new Map(
  Object.entries(CODES).flatMap(([status, codes]) => codes.map((code): [ErrorCode, number] => [code, Number(status)])),
);
const RETRYABLE = new Set<ErrorCode>([
  'request_timeout',
  'parent_not_ready',
  'not_final',
  ...(CODES[429] ?? []),
  ...(CODES[503] ?? []),
]);

const create = (body: unknown, key: string | null = keys.test, headers?: Record<string, string>) =>
  call(key, 'POST', '/v1/images', body, headers);
const act = (body: object) => call(keys.test, 'POST', '/v1/images/actions', body);
const issue = async (wish: Partial<Parameters<typeof issueKey>[0]>) => await issueKey({ mode: 'live', ...wish });
const waiting = async () =>
  (await create({ model_id: 'sketch-grid', prompt: 'a fox', simulate: { seconds: 600 } })).data.task_id as string;
const made = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
assert.equal(made.status, 'succeeded', JSON.stringify(made));

/** Fails one commit of a create as SQLite or the machine would. */
async function createWith(fault: Error): Promise<Answer> {
  diskFault = fault;
  try {
    return await create(order);
  } finally {
    diskFault = null;
  }
}

function assertFailure(answer: Answer | RawAnswer, code: ErrorCode): void {
  const { error, timestamp } = answer.body as { readonly error: Refusal; readonly timestamp: string };
  const seen = JSON.stringify(answer.body);
  assert.equal(error?.code, code, seen);
  const status = STATUS_OF.get(code);
  assert.deepEqual([answer.status, error.status, error.retryable], [status, status, RETRYABLE.has(code)], seen);
  assert.equal(Object.keys(error).length, 8, seen);
  assert.equal(error.request_id, answer.headers.get('x-request-id'));
  assert.match(error.docs_url, new RegExp(`/docs#error-${code}$`));
  assert.ok(Array.isArray(error.details), seen);
  assert.ok(error.message.length > 20, seen);
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
  assert.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null);
  const waits = status === 429 || status === 503;
  if (waits) assert.ok(Number(answer.headers.get('retry-after')) >= 1, `Retry-After of ${code}`);
  provoked.set(code, error);
}

const cases: Partial<Record<ErrorCode, () => Promise<Answer | RawAnswer>>> = {
  invalid_json: () => create('{"model_id":'),
  invalid_request: () => create({ ...order, model_id: 7 }),
  unsupported_field: () => create({ ...order, camera: 'pan' }),
  unsupported_value: () => create({ ...order, resolution: '9K' }),
  missing_prompt: () => create({ model_id: 'sketch' }),
  missing_reference: () => call(keys.test, 'POST', '/v1/videos', { model_id: 'runway-gen4-turbo', prompt: 'a fox' }),
  prompt_too_long: () => create({ ...order, prompt: 'x'.repeat(10_001) }),
  invalid_reference: () => create({ ...order, image_urls: ['ftp://example.com/a.png'] }),
  unsupported_action: () => act({ parent_task_id: made.task_id, action: 'fly' }),
  missing_api_key: () => create(order, null),
  invalid_api_key: () => create(order, `${keys.test.slice(0, -1)}${keys.test.endsWith('a') ? 'b' : 'a'}`),
  expired_api_key: async () => {
    const { key, key_id: keyId } = await issue({});
    await service.database.write('expire', (trx) =>
      trx.run(trx.builder.updateTable('api_keys').set({ expires_at: 1 }).where('id', '=', keyId)),
    );
    return await create(order, key);
  },
  revoked_api_key: async () => {
    const { key, key_id: keyId } = await issue({});
    await call(keys.admin, 'POST', `/admin/v1/keys/${keyId}/revoke`);
    return await create(order, key);
  },
  insufficient_balance: async () =>
    await create(order, (await issue({ accountId: await service.createAccount(0) })).key),
  spend_limit_reached: async () => await create(order, (await issue({ spendLimits: { total: 1 } })).key),
  end_user_limit_reached: async () => {
    const { key } = await issue({});
    await call(key, 'PUT', '/v1/end_users/customer-17', { limits: { total: '0.00' } });
    return await create({ ...order, end_user: 'customer-17' }, key);
  },
  model_not_allowed: async () => await create(order, (await issue({ models: ['flux-*'] })).key),
  forbidden: () => create(order, keys.admin),
  model_not_found: () => create({ ...order, model_id: 'nothing-at-all' }),
  task_not_found: () => call(keys.live, 'GET', `/v1/images/${made.task_id}`),
  task_expired: async () => {
    const { task_id: old } = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
    await service.database.write('test', (trx) => trx.run(trx.builder.deleteFrom('tasks').where('id', '=', old)));
    return await call(keys.test, 'GET', `/v1/images/${old}`);
  },
  not_found: () => call(null, 'GET', '/v1/nowhere'),
  method_not_allowed: () => call(null, 'PUT', '/v1/images'),
  parent_not_ready: async () => await act({ parent_task_id: await waiting(), action: 'upscale', index: 1 }),
  parent_not_usable: async () => {
    const failed = { model_id: 'sketch-grid', prompt: 'a fox', simulate: { outcome: 'upstream_error' } };
    const { task_id: parent } = await service.make(keys.test, '/v1/images', failed);
    return await act({ parent_task_id: parent, action: 'upscale', index: 1 });
  },
  not_cancelable: () => call(keys.test, 'POST', `/v1/images/${made.task_id}/cancel`),
  not_refundable: async () => call(keys.admin, 'POST', `/admin/v1/tasks/${await waiting()}/refund`),
  not_stuck: () => call(keys.admin, 'POST', `/admin/v1/tasks/${made.task_id}/give_up`),
  orders_changed: () => call(keys.admin, 'POST', '/admin/v1/tasks/cancel', { search: 'nothing', expected: 7 }),
  not_final: async () => await call(keys.test, 'DELETE', `/v1/images/${await waiting()}`),
  price_exceeded: () => create({ ...order, max_price: '0.000001' }),
  storage_limit_reached: async () => {
    const { key } = await issue({ mode: 'test' });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png', 'content-length': '5000' };
    const sent = await fetch(`${service.url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(5000) });
    const body = (await sent.json()) as { readonly error: Refusal };
    return { status: sent.status, headers: sent.headers, body, data: undefined, error: body.error };
  },
  share_limit_reached: async () => {
    const { key, key_id: keyId } = await issue({ mode: 'test' });
    const { task_id: taskId } = await service.make(key, '/v1/images', order);
    const link = { shows_prompt: 0, created_at: 0, expires_at: Date.now() + 60_000, position: 0, is_list: 0 };
    const row = { ...link, api_key_id: keyId, task_id: taskId };
    await service.database.write('links', async (trx) => {
      for (let place = 0; place < 1_000; place++)
        await trx.run(
          anyTable(trx.builder)
            .insertInto('shares')
            .values({ ...row, id: `shr_${place}` }),
        );
    });
    return await call(key, 'POST', '/v1/shares', { task_id: taskId });
  },
  model_retired: () => create({ ...order, model_id: 'old-one' }),
  outputs_expired: async () => {
    const { task_id: taskId, outputs } = await service.make(keys.test, '/v1/images', order);
    await call(keys.test, 'DELETE', `/v1/images/${taskId}`);
    return await call(null, 'GET', outputs[0].url);
  },
  body_too_large: () => create({ ...order, prompt: 'x'.repeat(60_000) }),
  uri_too_long: () => call(keys.test, 'GET', `/v1/images?status=${'x'.repeat(8_000)}`),
  unsupported_media_type: () => create('model_id=sketch', keys.test, { 'content-type': 'text/plain' }),
  range_not_satisfiable: () => call(keys.test, 'GET', made.outputs[0].url, undefined, { range: 'bytes=99999999-' }),
  idempotency_key_reused: async () => {
    await create(order, keys.test, { 'idempotency-key': 'once' });
    return await create({ ...order, prompt: 'an owl' }, keys.test, { 'idempotency-key': 'once' });
  },
  model_not_offered: () => create({ model_id: 'house-style', prompt: 'a fox' }, keys.live),
  rate_limited: async () => {
    const { key } = await issue({ createsPerMinute: 1 });
    await create(order, key);
    return await create(order, key);
  },
  queue_full: async () => {
    const { key } = await issue({ mode: 'test', queueLimit: 1, concurrency: 1 });
    const slow = { ...order, simulate: { seconds: 600 } };
    let answer = await create(slow, key);
    for (let tries = 0; tries < 5 && answer.status === 201; tries++) answer = await create(slow, key);
    return answer;
  },
  expectation_failed: () => sendRaw(service.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n'),
  headers_too_large: () =>
    sendRaw(service.url, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`),
  internal_error: () => createWith(new Error('password=hunter2')),
  model_unavailable: async () => {
    await call(keys.admin, 'POST', '/admin/v1/models/flux-2-pro/pause');
    return await create({ model_id: 'flux-2-pro', prompt: 'a fox' }, keys.test);
  },
  service_unavailable: () => createWith(databaseFault('disk I/O error hunter2', { sqlite: 10, postgres: '58030' })),
  storage_full: () => createWith(databaseFault('database or disk is full hunter2', { sqlite: 13, postgres: '53100' })),
};

/** A fault as the database in use tells it. */
function databaseFault(message: string, codes: { readonly sqlite: number; readonly postgres: string }): Error {
  if (service.database.kind === 'sqlite') return Object.assign(new Error(message), { errcode: codes.sqlite });
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code: codes.postgres });
}

for (const [code, provoke] of Object.entries(cases) as [ErrorCode, () => Promise<Answer | RawAnswer>][]) {
  test(`${code} is answered ${STATUS_OF.get(code)} in the one shape`, async () => {
    const answer = await provoke();
    assertFailure(answer, code);
    assert.doesNotMatch(JSON.stringify(answer.body), /hunter2|SQLITE|node_modules/);
  });
}

test('request_timeout is answered 408 in the one shape', async (t) => {
  const { app } = await openTestHttp(t, { arrival: { requestMs: 200, headersMs: 100 } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  assertFailure(await sendRaw(`http://127.0.0.1:${port}`, 'GET /healthz HTTP/1.1\r\nHo'), 'request_timeout');
});

test('shutting_down is answered 503 to an order that comes while the service stops', async (t) => {
  const stopping = await startTestService(t);
  const accepted: Socket[] = [];
  const note = (message: unknown) => void accepted.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  t.after(() => unsubscribe('net.server.socket', note));
  const connection = await openRaw(stopping.url);
  const body = JSON.stringify(order);
  connection.write('POST /v1/images HTTP/1.1\r\nHost: x\r\n');
  // A connection on which nothing has come yet would be closed.
  await until(
    () => accepted.some((socket) => socket.localPort === Number(new URL(stopping.url).port) && socket.bytesRead > 0),
    (hasBegun) => hasBegun,
  );
  const stopped = stopping.service.stop();
  connection.write(
    `Authorization: Bearer ${stopping.keys.test}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  assertFailure(await connection.answer, 'shutting_down');
  await stopped;
});

test('a refusal for money has its amounts in the details', async () => {
  const poor = await issue({ accountId: await service.createAccount(3_000) });
  assert.deepEqual((await create(order, poor.key)).error.details, [
    { needed: '0.005', available: '0.003', currency: 'USD' },
  ]);
  const limited = await issue({ spendLimits: { day: 4_000 } });
  const tomorrow = () => new Date(Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000).toISOString();
  const earliest = tomorrow();
  const [limit] = (await create(order, limited.key)).error.details;
  assert.deepEqual([limit.needed, limit.available, limit.window], ['0.005', '0.004', 'day']);
  assert.ok([earliest, tomorrow()].includes(String(limit.resets_at)), String(limit.resets_at));
});

test('410 names the successor, 405 the methods, and 404 the right path', async () => {
  const retired = (await create({ ...order, model_id: 'old-one' })).error;
  assert.match(retired.message, /Use sketch instead/);
  assert.equal((await call(null, 'PUT', '/v1/images')).headers.get('allow'), 'GET, HEAD, POST');
  assert.equal((await call(null, 'GET', '/v1/images/actions/')).error.code, 'not_found');
  assert.equal((await call(null, 'PATCH', '/v1/catalog')).headers.get('allow'), 'GET, HEAD');
});

test('an action that the parent does not offer is refused with the list of those that it offers', async () => {
  const { error } = await act({ parent_task_id: made.task_id, action: 'pan', direction: 'left' });
  assert.equal(error.code, 'unsupported_action');
  for (const { action } of made.available_actions) assert.match(error.message, new RegExp(`\\b${action}\\b`));
});

test("another key's task looks exactly like a missing one", async () => {
  const none = (await call(keys.live, 'GET', '/v1/images/img_00000000000000000000000000')).error;
  const others = (await call(keys.live, 'GET', `/v1/images/${made.task_id}`)).error;
  const blank = ({ message, param, details }: Refusal) =>
    JSON.stringify([message, param, details]).replaceAll(/img_\w+/g, 'ID');
  assert.equal(blank(others), blank(none));
});

test('every code has its place in the documentation, where docs_url leads', async () => {
  const page: string = (await call(null, 'GET', '/docs')).body;
  for (const code of STATUS_OF.keys()) assert.match(page, new RegExp(`id="error-${code}"`), code);
});

const DATABASE_SAYS: readonly string[] = ['service_unavailable', 'storage_full'];

test('the example of every code in the documentation is what the service answers, apart from ids and numbers', async () => {
  const page: string = (await call(null, 'GET', '/docs')).body;
  for (const [code, error] of provoked) {
    const section = page.split(`id="error-${code}"`)[1]?.split('</section>')[0] ?? '';
    const example = /\n\n(\{.*)<\/code>/s.exec(section)?.[1] ?? '{}';
    const shown = JSON.parse(
      example.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    );
    // How a database says that it cannot write differs from one to the other; the page shows the embedded one.
    const message = DATABASE_SAYS.includes(code) ? shown.error.message : error.message;
    assert.deepEqual(plain(shown.error), plain({ ...error, message }), code);
  }
});

/** Only what does not differ from service to service, or with how far a task has come. */
function plain({ message, param, details }: Refusal) {
  const text = JSON.stringify({ message, param, details });
  return JSON.parse(
    text
      .replaceAll(/(?:img|file|key)_\w+/g, 'ID')
      .replaceAll(/\d(?:[\d.:TZ-]*[\dZ])?/g, '0')
      .replaceAll('is processing', 'is queued'),
  );
}

test('every code of the contract was provoked here, and the service knows no other', () => {
  assert.deepEqual([...provoked.keys()].sort(), [...STATUS_OF.keys()].sort());
  assert.deepEqual(Object.keys(ERROR_TABLE).sort(), [...STATUS_OF.keys()].sort());
});
