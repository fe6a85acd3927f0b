import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { anyTable } from '../helpers/any-table.ts';
import { openGallery } from '../helpers/gallery-bench.ts';
import { openTestHttp } from '../helpers/http.ts';
import type { OpenApiDocument } from '../helpers/openapi-document.ts';
import { type Answer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { type Case, ORDERS, redelivery, WITHOUT_KEY } from './deed-kinds.ts';
import { deedsOfCredits } from './deeds-of-credits.ts';
import { deedsOfErasures } from './deeds-of-erasures.ts';
import { deedsForMany } from './deeds-of-orders.ts';
import { openTeam } from './deeds-of-people.ts';

/** Every POST that changes something is carried out once for its Idempotency-Key. */

const clock = new ManualClock();
const receiver = await startReceiver(wholeFile);
const service = await startTestService(wholeFile, {
  env: {
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    // Invitations need one.
    DARKROOM_OIDC_ISSUER: 'https://login.example.com',
    DARKROOM_OIDC_CLIENT_ID: 'darkroom',
    DARKROOM_SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  },
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
const { call, issueKey, keys, database } = service;
const gallery = await openGallery(wholeFile, { licence: { id: 'MIT', acceptance: false } });
const team = await openTeam(wholeFile);
const ofTeam = [team.call, team.keys.admin] as const;
const owner = (await issueKey({ mode: 'test', accountView: true, concurrency: 1 })).key;
const image = await service.make(owner, '/v1/images', {
  model_id: 'sketch',
  prompt: 'a fox',
  resolution: '0.5K',
  webhook_url: receiver.url,
});
await receiver.count(1);
const video = await service.make(owner, '/v1/videos', { model_id: 'sketch-motion', prompt: 'a fox' });
const [delivery] = (await call(owner, 'GET', '/v1/account/webhooks/deliveries')).data.items;
// Runs for ever: what the key orders after it waits, and can be canceled at once.
await call(owner, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox', simulate: { seconds: 3_600 } });
for (const id of ['rec_1', 'rec_2']) {
  const report = { task_id: image.task_id, kind: 'outcome_unknown', detail_json: '{}', created_at: 0 } as const;
  const row = { ...report, id, resolved_at: null, resolution: null };
  await database.write('report', (trx) => trx.run(trx.builder.insertInto('reconciliation').values(row)));
}

const alert = {
  id: 'alr_1',
  scope: 'disk:test',
  kind: 'held' as const,
  subject: '',
  summary: 'test',
  ended_at: null,
  began_at: clock.now(),
  seen_at: clock.now() + 3_600_000,
  told_at: clock.now(),
  acknowledged_by: null,
  acknowledged_at: null,
  silenced_by: null,
  silenced_until: null,
} as const;
await database.write('alert', (trx) => trx.run(anyTable(trx.builder).insertInto('alerts').values(alert)));

/** An order that its engine has, or one that it refused for now. */
async function atUpstream(step: 'submitting' | 'deferred'): Promise<string> {
  const { key: other } = await issueKey({ mode: 'test' });
  const order = { model_id: 'sketch', prompt: 'a fox', simulate: { seconds: 3_600 } };
  const { task_id: id } = (await call(other, 'POST', '/v1/images', order)).data;
  // A worker may have claimed it already. By the fence it then writes nothing more.
  const asLeft = { step, status: 'processing', worker: null, next_at: clock.now() + 3_600_000 } as const;
  await database.write('leave', (trx) =>
    trx.run(
      trx.builder
        .updateTable('tasks')
        .set(({ eb }) => ({ ...asLeft, fence: eb('fence', '+', 1) }))
        .where('id', '=', id),
    ),
  );
  return id;
}

/**
 * The acts of operators in the audit log. Of those on orders only the ones on the order of the address: a worker still
 * does what was asked about many.
 */
const acts =
  (act: string, send = call, admin = keys.admin) =>
  async (address: string) =>
    (await send(admin, 'GET', '/admin/v1/audit?limit=100')).data.items.filter(
      (entry) => entry.act === act && (!/^img_/.test(`${entry.target}`) || address.includes(`${entry.target}`)),
    ).length;
const rows = (table: 'shares' | 'files' | 'webhook_secrets') => async () => {
  const { read } = database;
  const all = anyTable(read.builder).selectFrom(table);
  return Number((await read.first(all.select(({ fn }) => fn.countAll<number>().as('count'))))!.count);
};
const stoppedTasks = async () =>
  (await database.read.all(database.read.builder.selectFrom('tasks').select('id').where('status', '=', 'canceled')))
    .length;
const shownTasks = async () =>
  (await database.read.all(database.read.builder.selectFrom('tasks').select('id').where('deleted_at', 'is', null)))
    .length;
const waiting = (type: 'images' | 'videos', fields: object) => async () => {
  const body = { prompt: 'a fox', simulate: { seconds: 3_600 }, ...fields };
  const task = (await call(owner, 'POST', `/v1/${type}`, body)).data as TaskAnswer;
  return `/v1/${type}/${task.task_id}/cancel`;
};
const hidden = (task: TaskAnswer) => async () => {
  await call(owner, 'DELETE', `${task.urls.self}?after=600`);
  return `/v1/${task.type}s/${task.task_id}/restore`;
};
const newKey = async () => (await issueKey({ mode: 'test' })).key_id;
const none = async () => 0;
const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
  .png()
  .toBuffer();
const film = { model_id: 'sketch-motion', duration: 1, resolution: '480p' };

const CASES: Readonly<Record<string, Case>> = {
  '/v1/images/:task_id/cancel': {
    path: waiting('images', { model_id: 'sketch' }),
    count: stoppedTasks,
    differs: ['urls'],
  },
  '/v1/videos/:task_id/cancel': { path: waiting('videos', film), count: stoppedTasks, differs: ['urls'] },
  '/v1/images/:task_id/restore': { path: hidden(image), count: shownTasks, differs: ['urls', 'revision'] },
  '/v1/videos/:task_id/restore': { path: hidden(video), count: shownTasks, differs: ['urls', 'revision'] },
  '/v1/batches/:batch_id/cancel': {
    path: async () => {
      const orders = [{ operation: 'images', body: { model_id: 'sketch', prompt: 'a', simulate: { seconds: 3_600 } } }];
      return `/v1/batches/${(await call(owner, 'POST', '/v1/batches', { orders })).data.batch_id}/cancel`;
    },
    count: async () =>
      (await database.read.all(database.read.builder.selectFrom('batches').select('cancel_requested_at'))).filter(
        ({ cancel_requested_at: at }) => at !== null,
      ).length,
    differs: ['status', 'counts', 'completed_at', 'cost'],
  },
  '/v1/images/:task_id/deliveries': redelivery(image, receiver.url),
  '/v1/videos/:task_id/deliveries': redelivery(video, receiver.url),
  '/v1/client_tokens': { body: { end_user: 'ada' }, other: { end_user: 'bob' }, count: none },
  '/v1/account/webhooks/deliveries/:delivery_id/redeliver': {
    path: async () => `/v1/account/webhooks/deliveries/${delivery!.delivery_id}/redeliver`,
    count: none,
    differs: ['status', 'attempts', 'delivered_at', 'next_attempt_at'],
  },
  '/v1/account/webhooks/test': {
    body: { url: receiver.url },
    other: { url: `${receiver.url}/other` },
    count: async () => receiver.received.filter(({ body }) => body.includes('webhook.test')).length,
  },
  '/v1/account/webhooks/secret/rotate': { count: rows('webhook_secrets') },
  '/v1/files': {
    body: picture,
    other: Buffer.concat([picture, Buffer.alloc(1)]),
    headers: { 'content-type': 'image/png' },
    count: rows('files'),
    differs: ['url', 'url_expires_at'],
  },
  '/v1/shares': {
    body: { task_id: image.task_id, expires_in: 3_600 },
    other: { task_id: image.task_id, expires_in: 60 },
    count: rows('shares'),
  },
  '/admin/v1/accounts': { key: keys.admin, body: { name: 'a' }, other: { name: 'b' }, count: acts('account.create') },
  ...deedsOfCredits(service, acts),
  '/admin/v1/keys': {
    key: keys.admin,
    body: { mode: 'test' },
    other: { mode: 'live' },
    count: acts('key.create'),
    differs: ['key', 'message'],
  },
  '/admin/v1/keys/:key_id/revoke': {
    path: async () => `/admin/v1/keys/${await newKey()}/revoke`,
    key: keys.admin,
    count: acts('key.revoke'),
  },
  '/admin/v1/keys/:key_id/rotate': {
    path: async () => `/admin/v1/keys/${await newKey()}/rotate`,
    key: keys.admin,
    body: { grace_seconds: 0 },
    other: { grace_seconds: 1 },
    count: acts('key.rotate'),
    differs: ['key', 'message'],
  },
  '/v1/account/keys': {
    key: team.manager,
    body: { mode: 'test' },
    other: { mode: 'live' },
    count: acts('key.create', ...ofTeam),
    differs: ['key', 'message'],
    send: team.call,
  },
  '/v1/account/keys/:key_id/revoke': {
    path: async () => `/v1/account/keys/${(await team.issueKey({ mode: 'test' })).key_id}/revoke`,
    key: team.manager,
    count: acts('key.revoke', ...ofTeam),
    send: team.call,
  },
  '/v1/account/keys/:key_id/rotate': {
    path: async () => `/v1/account/keys/${(await team.issueKey({ mode: 'test' })).key_id}/rotate`,
    key: team.manager,
    body: { grace_seconds: 0 },
    other: { grace_seconds: 1 },
    count: acts('key.rotate', ...ofTeam),
    differs: ['key', 'message'],
    send: team.call,
  },
  '/v1/account/invitations': {
    key: team.manager,
    body: { role: 'viewer' },
    other: { role: 'creator' },
    count: acts('invitation.create', ...ofTeam),
    differs: ['url'],
    send: team.call,
  },
  '/admin/v1/invitations': {
    key: keys.admin,
    body: { role: 'operator' },
    other: { role: 'owner' },
    count: acts('invitation.create'),
    differs: ['url'],
  },
  '/admin/v1/people/:person_id/sign_out': {
    path: `/admin/v1/people/${team.person}/sign_out`,
    key: team.keys.admin,
    count: acts('person.sign_out', ...ofTeam),
    send: team.call,
  },
  '/admin/v1/signing_secrets/rotate': {
    key: keys.admin,
    body: { grace_seconds: 60 },
    other: { grace_seconds: 61 },
    count: acts('signing_secrets.rotate'),
  },
  '/admin/v1/engines/:name/pause': {
    path: '/admin/v1/engines/sketch/pause',
    key: keys.admin,
    body: { reason: 'a' },
    other: { reason: 'b' },
    count: acts('engine.pause'),
  },
  '/admin/v1/engines/:name/resume': {
    path: '/admin/v1/engines/sketch/resume',
    key: keys.admin,
    count: acts('engine.resume'),
  },
  '/admin/v1/engines/:name/circuit/close': {
    path: '/admin/v1/engines/sketch/circuit/close',
    key: keys.admin,
    count: none,
  },
  '/admin/v1/models/:name/pause': {
    path: '/admin/v1/models/sketch/pause',
    key: keys.admin,
    body: { reason: 'a' },
    other: { reason: 'b' },
    count: acts('model.pause'),
  },
  '/admin/v1/models/:name/resume': {
    path: '/admin/v1/models/sketch/resume',
    key: keys.admin,
    count: acts('model.resume'),
  },
  '/admin/v1/hold': { key: keys.admin, body: { message: 'a' }, other: { message: 'b' }, count: acts('service.hold') },
  '/admin/v1/exports': {
    key: keys.admin,
    body: { account_id: 'default', end_user: 'a' },
    other: { account_id: 'default' },
    count: acts('end_user.export'),
  },
  ...(await deedsOfErasures(service, acts)),
  ...(await deedsForMany(service, acts)),
  '/admin/v1/tasks/:task_id/refund': {
    path: `/admin/v1/tasks/${image.task_id}/refund`,
    key: keys.admin,
    count: acts('task.refund'),
  },
  '/admin/v1/tasks/:task_id/ask': {
    path: async () => `/admin/v1/tasks/${await atUpstream('deferred')}/ask`,
    key: keys.admin,
    count: acts('task.ask'),
    // A worker may take the order as soon as it is asked to, and its engine may refuse it for now.
    differs: 'standing step status attempts operation started_at next_at route worker refused_at'.split(' '),
  },
  '/admin/v1/tasks/:task_id/cancel': {
    path: async () => `/admin/v1/tasks/${(await waiting('images', { model_id: 'sketch' })()).split('/')[3]}/cancel`,
    key: keys.admin,
    count: acts('task.cancel'),
  },
  '/admin/v1/tasks/:task_id/give_up': {
    path: async () => `/admin/v1/tasks/${await atUpstream('submitting')}/give_up`,
    key: keys.admin,
    count: acts('task.give_up'),
    differs: ['next_at', 'worker'],
  },
  '/admin/v1/alerts/:alert_id/acknowledge': {
    path: '/admin/v1/alerts/alr_1/acknowledge',
    key: keys.admin,
    count: acts('alert.acknowledge'),
  },
  '/admin/v1/alerts/:alert_id/silence': {
    path: '/admin/v1/alerts/alr_1/silence',
    key: keys.admin,
    body: { seconds: 60 },
    other: { seconds: 120 },
    count: acts('alert.silence'),
  },
  '/admin/v1/catalog/reload': { key: keys.admin, count: acts('catalog.reload') },
  '/admin/v1/reconciliation/:id/resolve': {
    path: '/admin/v1/reconciliation/rec_1/resolve',
    key: keys.admin,
    body: { resolution: 'a' },
    other: { resolution: 'b' },
    count: acts('reconciliation.resolve'),
  },
  '/admin/v1/reconciliation/resolve': {
    key: keys.admin,
    body: { ids: ['rec_2'], resolution: 'a' },
    other: { ids: ['rec_1'], resolution: 'a' },
    count: acts('reconciliation.resolve'),
  },
  '/admin/v1/webhooks/deliveries/:delivery_id/redeliver': {
    path: async () => `/admin/v1/webhooks/deliveries/${delivery!.delivery_id}/redeliver`,
    key: keys.admin,
    count: acts('webhook.redeliver'),
    differs: ['status', 'attempts', 'delivered_at', 'next_attempt_at'],
  },
  '/admin/v1/local/models/:name/pull': {
    path: '/admin/v1/local/models/tiny/pull',
    key: gallery.keys.admin,
    body: { build: 'none' },
    other: { build: 'none', ignore_memory: true },
    count: acts('local.pull', gallery.call, gallery.keys.admin),
    send: gallery.call,
    differs: ['state', 'pull', 'models', 'build', 'pulled_at'],
  },
  '/admin/v1/local/models/:name/cancel': {
    path: '/admin/v1/local/models/tiny/cancel',
    key: gallery.keys.admin,
    count: acts('local.cancel', gallery.call, gallery.keys.admin),
    send: gallery.call,
    differs: ['state', 'pull'],
  },
};
/** Nothing outside of the answers can be counted. */
const UNCOUNTED = /client_tokens|circuit|\/v1\/account\/webhooks\/deliveries|task_id\/deliveries|reconciliation/;

test('every POST of the service is an order, a deed that can be repeated, or changes nothing', async (t) => {
  const { app } = await openTestHttp(t);
  const found: string[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false, method: 'POST' }).split('\n')) {
    const [, indent = '', part = ''] = /^([│ ]*)[├└]── (\S+) /.exec(line) ?? [];
    if (part === '') continue;
    above.length = indent.length / 4;
    above.push(part);
    found.push(above.join(''));
  }
  assert.ok(found.includes('/v1/batches/prices'), found.join(' '));
  const deeds = found.filter((path) => !ORDERS.test(path) && !(path in WITHOUT_KEY));
  assert.deepEqual(deeds.sort(), Object.keys(CASES).sort());

  const document = (await call(null, 'GET', '/openapi.json')).body as OpenApiDocument;
  for (const [path, { post }] of Object.entries(document.paths)) {
    if (post === undefined) continue;
    const named = (post.parameters ?? []).some((parameter) => parameter.name === 'Idempotency-Key');
    assert.equal(named, !(path in WITHOUT_KEY), `${path} names the header`);
    assert.equal('422' in post.responses, named || path === '/v1/batches/prices', `${path} names the refusal`);
  }
});

for (const [route, { path = route, key = owner, body, other, headers = {}, ...rest }] of Object.entries(CASES)) {
  const { count, differs = [], send = call } = rest;
  test(`POST ${route} is carried out once for its key, and its repetition answers what there is`, async () => {
    const address = typeof path === 'string' ? path : await path();
    if (route.endsWith('/local/models/:name/cancel')) {
      gallery.hub.pauseMs = 300;
      await gallery.remove();
      await gallery.pull();
    }
    const name = `deed of ${route}`;
    const post = (sent: unknown, more: Record<string, string> = { 'idempotency-key': name }) =>
      sendBytes(send, key, address, sent, { ...headers, ...more });
    const before = await count(address);
    const answers = await Promise.all([post(body), post(body)]);
    // A test event takes its time; meanwhile its outcome is not known.
    const settled = await Promise.all(answers.map((answer) => (answer.status === 503 ? post(body) : answer)));
    const [first] = answers.filter(
      (answer) => answer.headers.get('idempotent-replayed') === null && answer.status < 300,
    );
    assert.ok(first !== undefined, JSON.stringify(answers.map((answer) => answer.body)));
    clock.advance(1_000);
    const later = await post(body);
    if (!UNCOUNTED.test(route)) assert.equal(await count(address), before + 1, 'done once');
    for (const answer of [...settled.filter((one) => one !== first), later]) {
      assert.deepEqual(
        [answer.status, answer.headers.get('idempotent-replayed')],
        [first.status, 'true'],
        JSON.stringify(answer.body),
      );
      assert.deepEqual(without(answer.data, differs), without(first.data, differs));
    }
    const reused =
      other === undefined
        ? await send(key, 'POST', '/v1/shares', { task_id: image.task_id }, { 'idempotency-key': name })
        : await post(other);
    if (other !== undefined || key === owner)
      assert.deepEqual(
        [reused.status, reused.error?.code],
        [422, 'idempotency_key_reused'],
        JSON.stringify(reused.body),
      );
    const malformed = await post(body, { 'idempotency-key': 'x'.repeat(256) });
    assert.deepEqual([malformed.status, malformed.error?.param], [400, 'Idempotency-Key']);
  });
}

/** As `call`, and with bytes as the body. */
async function sendBytes(
  send: typeof call,
  key: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer<Record<string, unknown>>> {
  if (!Buffer.isBuffer(body)) return (await send(key, 'POST', path, body, headers)) as Answer<Record<string, unknown>>;
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: new Uint8Array(body),
  });
  const parsed = (await response.json()) as Pick<Answer<Record<string, unknown>>, 'data' | 'error'>;
  return { status: response.status, headers: response.headers, body: parsed, data: parsed.data, error: parsed.error };
}

function without(data: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
}
