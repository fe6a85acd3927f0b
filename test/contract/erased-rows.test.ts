import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openFileStorage } from '@darkroom-service/files';
import { until } from '@darkroom-service/testing';
import { eraseTask } from '../../src/erasure/erase-task.ts';
import { audit } from '../../src/service/doctor/audit.ts';
import { ADDED, AUDITS, HOOKS } from '../helpers/additions.ts';
import { findInFiles, findInTables, tableNames } from '../helpers/find-text.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Rows about an order: they go with its erasure, whoever asks for it, or it is decided why they stay. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  service: { clock, engines: [createSwiftEngine({}, clock)] },
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8', DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64') },
});
const { call, config, database, issueKey, keys, url } = service;
const receiver = await startReceiver(wholeFile);
const storage = await openFileStorage(config.filesDirectory);

/** `goes`: with the order. `kept`: for the books, and names nobody. `time`: ends after a time of its own. */
type Decision = 'goes' | 'kept' | 'time' | 'no orders';

/** What becomes of the rows of each table when orders are erased. A new table must be decided about. */
const TABLES: Readonly<Record<string, Decision>> = {
  a1111_options: 'no orders',
  account_provenance: 'no orders',
  accounts: 'no orders',
  alert_messages: 'no orders',
  alerts: 'no orders',
  api_keys: 'no orders',
  assignments: 'no orders',
  // DARKROOM_AUDIT_DAYS.
  audit_log: 'time',
  // Its name goes, the row stays with that of the order.
  batch_orders: 'kept',
  batch_portions: 'no orders',
  // What its customer wrote goes after the time of its orders, the row with the last row of them.
  batches: 'kept',
  // The digest of an end user.
  budget_notices: 'no orders',
  claim_permits: 'no orders',
  closed_days: 'no orders',
  cost_days: 'no orders',
  data_requests: 'no orders',
  data_rules: 'no orders',
  delayed_deletions: 'goes',
  destinations: 'no orders',
  end_users: 'no orders',
  erasure_uploads: 'no orders',
  files: 'no orders',
  // With the row of the order; an end user's erasure, or a call's, leaves a hash.
  idempotency: 'kept',
  installation: 'no orders',
  instances: 'no orders',
  invitations: 'no orders',
  ledger: 'kept',
  ledger_checkpoints: 'no orders',
  memberships: 'no orders',
  meters: 'no orders',
  // One that only grew old stays: the operator shows it.
  model_examples: 'goes',
  openai_calls: 'goes',
  // A month.
  order_traces: 'time',
  output_hashes: 'goes',
  people: 'no orders',
  person_keys: 'no orders',
  person_sessions: 'no orders',
  price_lists: 'no orders',
  processes: 'no orders',
  queues: 'no orders',
  receipt_keys: 'no orders',
  // Until the bill is compared, and with the row of the order: without what an upstream or a customer wrote.
  reconciliation: 'kept',
  // Seven days.
  request_log: 'time',
  schema_migrations: 'no orders',
  secrets: 'no orders',
  shares: 'goes',
  // The digest of an end user.
  spending: 'no orders',
  // With the end of the order, a day later at most.
  task_checks: 'time',
  task_costs: 'kept',
  task_tags: 'goes',
  task_waits: 'goes',
  // Without content, for DARKROOM_TASK_DAYS.
  tasks: 'kept',
  // The upstream's id of a job, so that no other order takes the same one.
  upstream_jobs: 'kept',
  upstream_keys: 'no orders',
  usage_days: 'no orders',
  // The name of the end user goes.
  usage_quarters: 'kept',
  valves: 'no orders',
  webhook_attempts: 'goes',
  webhook_deliveries: 'goes',
  webhook_headers: 'no orders',
  webhook_secrets: 'no orders',
  work: 'goes',
};

test('it is decided for every table what becomes of its rows when orders are erased', async () => {
  assert.deepEqual(await tableNames(database), Object.keys(TABLES).sort());
});

/** An order with all that can lie around one, and a call of an OpenAI client. */
async function placeOrders(key: string, mark: string) {
  const wishes = { metadata: { note: mark }, webhook_url: `${receiver.url}?of=${mark}`, end_user: mark };
  const body = { model_id: 'sketch', prompt: `a fox ${mark}`, resolution: '0.5K', ...wishes };
  const named = { 'idempotency-key': `order ${mark}` };
  const made = await call(key, 'POST', '/v1/images', body, { ...named, prefer: 'wait=60' });
  assert.equal(made.data?.status, 'succeeded', JSON.stringify(made.body));
  const id = made.data.task_id;
  await call(key, 'PUT', `/v1/images/${id}/tags`, { tags: [mark] });
  assert.equal((await call(key, 'POST', '/v1/shares', { task_id: id })).status, 201);
  const sent = { model: 'sketch', prompt: `a hare ${mark}`, size: '512x512', user: mark };
  const repeatCall = async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': mark };
    const body = JSON.stringify(sent);
    const answer = await fetch(`${url}/openai/v1/images/generations`, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as { error?: { code: string } } };
  };
  assert.equal((await repeatCall()).status, 200);
  const { webhook_url: _url, ...inBatch } = body;
  const batch = await call(key, 'POST', '/v1/batches', {
    metadata: { note: mark },
    webhook_url: wishes.webhook_url,
    orders: [{ operation: 'images', name: mark, body: inBatch }],
  });
  await until(
    async () => (await call(key, 'GET', batch.data.urls.self)).data,
    ({ status }) => status === 'succeeded',
  );
  await until(
    async () => (await call(key, 'GET', '/v1/account/webhooks/deliveries?status=pending')).data.items,
    ({ length }) => length === 0,
  );
  const ids = (await call(key, 'GET', '/v1/images')).data.items.map(({ task_id }) => task_id);
  assert.equal(ids.length, 3);
  const repeatOrder = () => call(key, 'POST', '/v1/images', body, named);
  const picture = Buffer.from(await (await fetch(made.data.outputs[0]!.url)).arrayBuffer());
  return { ids, picture, repeatOrder, repeatCall };
}

const later = { clock, database, hooks: HOOKS, parentGate: null, wakeWork: () => {} };

/** The ways in which an order is erased. */
const WAYS: Readonly<
  Record<string, (key: string, accountId: string, mark: string, ids: readonly string[]) => Promise<void>>
> = {
  async deleted(key, _account, _mark, ids) {
    for (const id of ids) assert.equal((await call(key, 'DELETE', `/v1/images/${id}`)).status, 200);
  },
  async 'grown old'(_key, _account, _mark, ids) {
    for (const id of ids) await eraseTask({ ...later, storage }, id, { deletedAt: null });
  },
  async "an end user's"(_key, account_id, mark) {
    const asked = await call(keys.admin, 'POST', '/admin/v1/erasures', { account_id, end_user: mark });
    await until(
      async () => {
        clock.advance(1_000);
        return (await call(keys.admin, 'GET', `/admin/v1/erasures/${asked.data.erasure_id}`)).data;
      },
      ({ status }) => status === 'completed',
    );
  },
};

for (const [way, erase] of Object.entries(WAYS))
  test(`an erased order (${way}) leaves only rows that are kept on purpose, and never orders again`, async () => {
    const accountId = await service.createAccount(null);
    const { key } = await issueKey({ mode: 'live', accountId });
    const mark = `Ottilie${randomBytes(4).toString('hex')}`;
    const { ids, picture, repeatOrder, repeatCall } = await placeOrders(key, mark);
    const before = (await call(key, 'GET', '/v1/account')).data.balance;
    const found = await findInTables(database, mark);
    for (const place of ['tasks.input_json', 'webhook_deliveries.url', 'task_tags.tag', 'batch_orders.name'])
      assert.ok(found.includes(place), `${place} of ${found.join()}`);
    assert.notDeepEqual(await findInFiles(config.dataDirectory, picture), []);
    await erase(key, accountId, mark, ids);
    for (const content of way === 'deleted' ? [`a fox ${mark}`, `a hare ${mark}`, picture] : [])
      await until(
        () => findInFiles(config.dataDirectory, content),
        ({ length }) => length === 0,
      );

    const marked = await findInTables(database, mark);
    const ofBatch = ['batches.metadata_json', 'batches.webhook_url', 'webhook_deliveries.url'];
    const allowed = {
      deleted: ['idempotency.idempotency_key'],
      // A week later.
      'grown old': [...ofBatch, 'idempotency.idempotency_key'].sort(),
      "an end user's": [],
    }[way];
    assert.deepEqual(
      marked.filter((place) => !place.startsWith('audit_log.')),
      allowed,
    );
    const left = new Set<string>();
    for (const id of ids) for (const place of await findInTables(database, id)) left.add(place.split('.')[0]!);
    const gone = [...left].filter((table) => TABLES[table] === 'goes' || TABLES[table] === 'no orders');
    assert.deepEqual(gone, []);
    const [again, call2] = [await repeatOrder(), await repeatCall()];
    if (way === "an end user's") assert.deepEqual([again.status, again.error.code], [410, 'task_expired']);
    else assert.ok(ids.includes(again.data.task_id), 'the tombstone');
    assert.deepEqual([call2.status, call2.body.error?.code], [410, 'task_expired']);
    assert.equal((await call(key, 'GET', '/v1/account')).data.balance, before);
    const settings = { files: 0, tables: ADDED, added: AUDITS, hooks: HOOKS };
    const faults = await Array.fromAsync(audit(config, Date.now(), settings));
    assert.deepEqual(
      faults.filter(({ status }) => status === 'failed'),
      [],
    );
  });
