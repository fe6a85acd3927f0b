import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, type EngineErrorClass } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../src/base/log.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * Where an order goes that its upstream did not take, and what becomes of those behind it while an upstream is down.
 */

const SECOND = 1_000;
const CONCURRENCY = 4;
const clock = new ManualClock();
/**
 * Each test has a pair of its own: orders of `<name>-only` go to the first, of `<name>` to the first that takes them.
 */
const PAIRS = [
  'key',
  'verdict',
  'busy',
  'lost',
  'unsaid',
  'outage',
  'pause',
  'purse',
  'probe',
  'doubt',
  'trust',
  'rights',
  'gone',
  'cancel',
  'film',
  'hang',
] as const;
const engines = new Map(
  PAIRS.flatMap((name) => [`${name}-a`, `${name}-b`]).map((name) => [
    name,
    createScriptedEngine({ name, concurrency: CONCURRENCY }),
  ]),
);
const entries = PAIRS.flatMap((name) => [
  plainEntry({ model_id: `${name}-only`, routes: [{ engine: `${name}-a` }] }),
  plainEntry({ model_id: name, routes: [{ engine: `${name}-a` }, { engine: `${name}-b`, model: 'second' }] }),
]);
entries.push(
  plainEntry({ model_id: 'loaded', routes: [{ engine: 'film-a', model: 'img_gen' }] }),
  plainEntry({ model_id: 'not-loaded', routes: [{ engine: 'film-a', model: 'vid_gen' }] }),
);
const logged: string[] = [];
const overlay = await openCatalogOverlay(wholeFile, entries);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: {
    clock,
    log: createLog('info', { write: (line) => void logged.push(line) }),
    engines: [...engines.values(), createSwiftEngine({}, clock)],
    // The clock runs far ahead of the work.
    tempo: { lease: { ms: 3_600 * SECOND, renewEveryMs: 5 * SECOND } },
  },
});
const { call, keys } = service;
const told = (level: string, words: RegExp) =>
  logged.filter((line) => line.includes(`"level":"${level}"`) && words.test(line)).length;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
for (const engine of engines.values()) {
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
  });
}

function engineOf(name: string) {
  const engine = engines.get(name);
  assert.ok(engine, name);
  return engine;
}

type Failing = { took?: 'no' | 'unknown'; retryAfterMs?: number; elsewhere?: boolean };
function failing(name: string, kind: EngineErrorClass | null, options: Failing = {}) {
  engineOf(name).onStart = () => {
    if (kind !== null) throw new EngineError(kind, `${name}: no more ${kind}`, { took: 'no', ...options });
  };
}

const order = (model_id: string) => call(keys.live, 'POST', '/v1/images', { model_id, prompt: 'a fox' });
const read = async (task: TaskAnswer) => (await call(keys.live, 'GET', task.urls.self)).data;
const starts = (name: string) => engineOf(name).started.length;
const inside = async (task: TaskAnswer) => (await call(keys.admin, 'GET', `/admin/v1/tasks/${task.task_id}`)).data;
const circuitOf = async (name: string) =>
  (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items.find((one) => one.name === name)!.circuit;
const isLive = async (modelId: string) =>
  (await call(keys.admin, 'GET', '/admin/v1/models')).data.items.find((one) => one.model_id === modelId)!.availability
    .live;

/**
 * Moves the clock and has the service look what is due, which it does by itself once a second and with every order that
 * enters a queue. What was due then has been done, so that the clock does not run ahead of a slow machine.
 */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  const brief = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'timeout' } };
  // It must not begin at once, as it would if this waited for it here.
  const { data } = await call(keys.test, 'POST', '/v1/images', brief);
  await call(keys.test, 'GET', data.urls.self, undefined, { prefer: 'wait=60' });
  await untilLetGo(service.database);
}
const reached = (task: TaskAnswer, status: string, stepMs = 0) =>
  until(
    async () => {
      if (stepMs > 0) await advance(stepMs);
      return await read(task);
    },
    (now) => now.status === status,
  );

test('if the key is wrong an order uses the next route at the same price, and later orders skip the first', async () => {
  failing('key-a', 'auth');
  const first = (await order('key')).data;
  const done = await reached(first, 'succeeded');
  assert.deepEqual([done.cost.amount, done.cost.quoted], ['0.01', '0.01']);
  const { route, left_routes: left, queue } = await inside(first);
  assert.deepEqual([route.engine, route.model, queue], ['key-b', 'second', 'key-b:live']);
  const at = new Date(clock.now()).toISOString();
  assert.deepEqual(left, [{ engine: 'key-a', model: null, reason: 'key-a: no more auth', left_at: at }]);

  const { since, retry_at, ...circuit } = await circuitOf('key-a');
  assert.deepEqual(circuit, { state: 'open', fault: 'auth', reason: 'key-a: no more auth' });
  assert.equal(Date.parse(retry_at) - Date.parse(since), 300 * SECOND);
  await reached((await order('key')).data, 'succeeded');
  assert.deepEqual([starts('key-a'), starts('key-b')], [1, 2]);

  assert.deepEqual([await isLive('key'), await isLive('key-only')], [true, false]);
  const refused = await order('key-only');
  assert.deepEqual([refused.status, refused.error.code], [503, 'model_unavailable']);
  // What is known already is no news that wakes somebody.
  assert.deepEqual([told('error', /key-/), told('info', /key-only cannot be ordered now/)], [0, 1]);
  assert.equal(told('warn', /"engine":"key-a",.*"help":"set a valid key and restart.*"msg":"circuit opened"/), 1);
  assert.equal(refused.headers.get('retry-after'), '300');
  clock.advance(100 * SECOND);
  assert.equal((await order('key-only')).headers.get('retry-after'), '200');
  const { checks } = (await call(keys.admin, 'GET', '/readyz')).body;
  const check = checks.find((one) => one.name === 'engine key-a')!;
  assert.equal(check.ok, false);
  assert.match(
    check.detail,
    /has received no orders since .* \(auth: key-a: no more auth\); set a valid key and restart;/,
  );
  const figures = (await call(keys.admin, 'GET', '/metrics')).body;
  assert.match(figures, /^darkroom_engine_circuit\{engine="key-a",state="open"\} 1$/m);
  assert.match(figures, /^darkroom_engine_circuit\{engine="key-b",state="closed"\} 1$/m);
  assert.match(figures, /^darkroom_engine_faults_total\{engine="key-a",call="start",fault="auth"\} 1$/m);
  assert.match(figures, /^darkroom_orders_went_on_total\{engine="key-a"\} 1$/m);

  failing('key-a', null);
  const closed = await call(keys.admin, 'POST', '/admin/v1/engines/key-a/circuit/close');
  assert.deepEqual([closed.status, closed.data.name, closed.data.circuit.state], [200, 'key-a', 'closed']);
  const acts = (await call(keys.admin, 'GET', '/admin/v1/audit')).data.items;
  assert.equal(acts.find((one) => one.act === 'engine.close_circuit')?.target, 'key-a');
  await reached((await order('key-only')).data, 'succeeded');
  assert.equal((await call(keys.admin, 'POST', '/admin/v1/engines/nobody/circuit/close')).error.code, 'not_found');
});

test('a refusal of the order itself neither tries another upstream nor counts against this one', async () => {
  for (const kind of ['invalid_input', 'content_policy'] as const) {
    failing('verdict-a', kind);
    for (let count = 0; count < 3; count++) {
      assert.equal((await reached((await order('verdict')).data, 'failed')).error.code, kind);
    }
  }
  assert.equal(starts('verdict-b'), 0);
  assert.equal((await circuitOf('verdict-a')).state, 'closed');
});

test('an order that is refused as busy is offered three times before it goes on, and eight times where it cannot', async () => {
  failing('busy-a', 'busy');
  const first = (await order('busy')).data;
  await reached(first, 'succeeded', 2_500);
  assert.deepEqual([starts('busy-a'), starts('busy-b')], [3, 1]);
  await advance(11 * 60 * SECOND);
  const only = (await order('busy-only')).data;
  const failed = await reached(only, 'failed', 70 * SECOND);
  assert.deepEqual([failed.error.code, failed.cost.state], ['upstream_error', 'released']);
  assert.equal(starts('busy-a'), 3 + 8);
});

test('an order that an upstream may have goes nowhere else', async () => {
  failing('lost-a', 'upstream', { took: 'unknown' });
  assert.equal((await reached((await order('lost')).data, 'failed')).error.code, 'outcome_unknown');
  assert.equal(starts('lost-b'), 0);
});

test('an order that one upstream cannot receive goes to another, or fails if there is none', async () => {
  failing('unsaid-a', 'invalid_input', { elsewhere: true });
  assert.deepEqual((await reached((await order('unsaid')).data, 'succeeded')).cost.amount, '0.01');
  const refused = await reached((await order('unsaid-only')).data, 'failed');
  assert.deepEqual([refused.error.code, refused.cost.state], ['invalid_input', 'released']);
  assert.deepEqual([starts('unsaid-a'), starts('unsaid-b')], [2, 1]);
  assert.equal((await circuitOf('unsaid-a')).state, 'closed');
});

test('after five faults in a row an upstream gets only occasional test orders, and no order is lost', async () => {
  failing('outage-a', 'busy');
  const tasks: TaskAnswer[] = [];
  for (let count = 0; count < 8; count++) tasks.push((await order('outage-only')).data);
  await until(
    async () => {
      await advance(SECOND);
      return await circuitOf('outage-a');
    },
    ({ state }) => state === 'open',
  );
  const refusals = starts('outage-a');
  // Each once where all are offered within the first second; after it one opens the circuit while the engine's other
  // places may be taken.
  assert.ok(refusals >= 5 && refusals <= tasks.length + CONCURRENCY, `${refusals} offers`);
  const late = (await order('outage-only')).data;
  assert.equal(await isLive('outage-only'), false);
  await advance(8 * SECOND);
  assert.equal(starts('outage-a'), refusals, 'nothing is offered while it is open');

  await until(
    async () => {
      await advance(2 * SECOND);
      return starts('outage-a');
    },
    (count) => count === refusals + 1,
  );
  const again = await until(
    () => circuitOf('outage-a'),
    ({ state }) => state === 'open',
  );
  assert.ok(Date.parse(again!.retry_at) - clock.now() > 20 * SECOND, 'the next pause is longer');
  assert.equal(starts('outage-a'), refusals + 1, 'one order tried it');
  const behind = (await order('outage')).data;
  await reached(behind, 'succeeded');
  assert.equal((await inside(behind)).route.engine, 'outage-b');

  failing('outage-a', null);
  for (const task of [...tasks, late]) await reached(task, 'succeeded', 10 * SECOND);
  assert.equal((await circuitOf('outage-a')).state, 'closed');
  assert.equal(await isLive('outage-only'), true);
});

test('orders that wait for a blocked upstream move to a ready route and its queue', async () => {
  const { key } = await service.issueKey({ mode: 'live', concurrency: 1 });
  const place = () => call(key, 'POST', '/v1/images', { model_id: 'purse', prompt: 'a fox' });
  engineOf('purse-a').answer = () => ({ status: 'pending', checkAfterMs: 200 });
  const running = (await place()).data;
  await until(
    () => starts('purse-a'),
    (count) => count === 1,
  );
  const waiting = (await place()).data;
  failing('purse-a', 'billing');
  const failed = await reached((await order('purse-only')).data, 'failed');
  assert.deepEqual([failed.error.code, failed.cost.state], ['upstream_billing', 'released']);
  assert.match(failed.error.message, /^The service cannot .* charged\. The upstream said: purse-a: no more billing$/);
  assert.equal((await circuitOf('purse-a')).fault, 'billing');
  engineOf('purse-a').answer = () => ({ status: 'failed', error: { code: 'upstream_error', message: 'it broke' } });
  await until(
    async () => {
      await advance(SECOND);
      return (await call(key, 'GET', running.urls.self)).data;
    },
    ({ status }) => status === 'failed',
  );
  await advance(31 * SECOND);
  await until(
    () => inside(waiting),
    ({ status, queue }) => status === 'succeeded' && queue === 'purse-b:live',
  );
  assert.equal(starts('purse-a'), 2);
});

test('429 with Retry-After pauses all orders of the upstream for exactly that time', async () => {
  const before = clock.now();
  failing('pause-a', 'rate_limited', { retryAfterMs: 20 * SECOND });
  const first = (await order('pause-only')).data;
  await until(
    () => circuitOf('pause-a'),
    ({ state }) => state === 'open',
  );
  failing('pause-a', null);
  const second = (await order('pause-only')).data;
  assert.equal(await isLive('pause-only'), true, 'a pause is everyday pace');
  await advance(before + 19 * SECOND - clock.now());
  assert.equal(starts('pause-a'), 1);
  await reached(second, 'succeeded', SECOND);
  await reached(first, 'succeeded', SECOND);
  assert.ok(clock.now() - before < 40 * SECOND, `${clock.now() - before} ms`);
});

test('an upstream with a probe gets a test order only after the probe succeeds', async () => {
  let probes = 0;
  let isWell = false;
  Object.assign(engineOf('probe-a'), {
    probe: async () => {
      probes++;
      return { ok: isWell, message: isWell ? 'well' : 'still down' };
    },
  });
  failing('probe-a', 'auth');
  assert.equal((await reached((await order('probe-only')).data, 'failed')).error.code, 'upstream_auth');
  failing('probe-a', null);
  assert.equal((await circuitOf('probe-a')).state, 'open');
  // An order is taken from when it is due to be tried until it was asked once more.
  const waiting = await until(
    async () => {
      await untilLetGo(service.database);
      clock.advance(301 * SECOND);
      return await order('probe-only');
    },
    ({ status }) => status === 201,
  );
  const { reason } = await until(
    () => circuitOf('probe-a'),
    ({ reason: found }) => found === 'still down',
  );
  assert.deepEqual([reason, starts('probe-a')], ['still down', 1]);
  isWell = true;
  await reached(waiting.data, 'succeeded', 200 * SECOND);
  assert.equal((await circuitOf('probe-a')).state, 'closed');
  assert.ok(probes >= 3);
});

test('after one order of unknown outcome a free call decides whether the next is risked', async () => {
  let isWell = false;
  Object.assign(engineOf('doubt-a'), {
    probe: async () => ({ ok: isWell, message: isWell ? 'well' : 'Service Unavailable' }),
  });
  failing('doubt-a', 'upstream', { took: 'unknown' });
  assert.equal((await reached((await order('doubt-only')).data, 'failed')).error.code, 'outcome_unknown');
  const { state, reason } = await circuitOf('doubt-a');
  assert.deepEqual([state, reason], ['open', 'Service Unavailable']);
  const waiting = (await order('doubt-only')).data;
  assert.equal((await read(waiting)).delayed_by, 'upstream');
  for (let round = 0; round < 3; round++) await advance(16 * SECOND);
  assert.deepEqual([(await read(waiting)).status, starts('doubt-a')], ['queued', 1]);
  failing('doubt-a', null);
  isWell = true;
  assert.equal((await reached(waiting, 'succeeded', 16 * SECOND)).delayed_by, undefined);
  assert.deepEqual([(await circuitOf('doubt-a')).state, starts('doubt-a')], ['closed', 2]);
});

test('an upstream that works keeps its orders after one of unknown outcome', async () => {
  Object.assign(engineOf('trust-a'), { probe: async () => ({ ok: true, message: 'well' }) });
  failing('trust-a', 'upstream', { took: 'unknown' });
  assert.equal((await reached((await order('trust-only')).data, 'failed')).error.code, 'outcome_unknown');
  failing('trust-a', null);
  assert.equal((await circuitOf('trust-a')).state, 'closed');
  await reached((await order('trust-only')).data, 'succeeded');
});

test('a model that needs extra permissions does not block other models of an upstream that accepts the key', async () => {
  Object.assign(engineOf('rights-a'), { probe: async () => ({ ok: true, message: 'takes the key' }) });
  failing('rights-a', 'auth');
  assert.equal((await reached((await order('rights-only')).data, 'failed')).error.code, 'upstream_auth');
  assert.equal((await circuitOf('rights-a')).state, 'closed');
  assert.equal((await order('rights-only')).status, 201, 'one order does not close the model either');
});

test('an order for a model that the upstream no longer has does not blame the credentials', async () => {
  engineOf('gone-a').onStart = () => {
    throw new EngineError('auth', 'gone-a: no such model', { took: 'no', scope: 'route' });
  };
  const { error } = await reached((await order('gone-only')).data, 'failed');
  assert.deepEqual([error.code, error.message], ['upstream_error', 'gone-a: no such model']);
});

test('a model that an upstream does not make fails its own orders, and keeps no others from that upstream', async () => {
  engineOf('film-a').onStart = ({ route }) => {
    if (route.model === 'vid_gen')
      throw new EngineError('upstream', 'film-a: loaded model does not support vid_gen', {
        took: 'no',
        scope: 'route',
      });
  };
  const failed = await reached((await order('not-loaded')).data, 'failed');
  assert.deepEqual([failed.error.code, failed.cost.state, starts('film-a')], ['upstream_error', 'released', 1]);
  const again = await order('not-loaded');
  assert.deepEqual([again.status, again.error.code], [503, 'model_unavailable']);
  await reached((await order('loaded')).data, 'succeeded');
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/engines')).data;
  const engine = items.find((one) => one.name === 'film-a');
  assert.equal(engine?.circuit.state, 'closed');
  const [{ since, retry_at, ...circuit }] = engine!.route_circuits;
  const reason = 'film-a: loaded model does not support vid_gen';
  assert.deepEqual(circuit, { model: 'vid_gen', fault: 'upstream', reason });
  assert.equal(Date.parse(retry_at) - Date.parse(since), 300 * SECOND);
  assert.deepEqual(engine?.limits, { concurrency: 4, floor: 4, ceiling: 4, start_seconds: 600 });
  engineOf('film-a').onStart = () => {};
  await call(keys.admin, 'POST', '/admin/v1/engines/film-a/circuit/close');
  await reached((await order('not-loaded')).data, 'succeeded');
});

test('an upstream that answers none of three calls is detected and gets no more orders', async () => {
  const answered = Promise.withResolvers<void>();
  const engine = engineOf('hang-a');
  const start = engine.start;
  engine.start = async (given, context) => {
    await answered.promise;
    return await start.call(engine, given, context);
  };
  const tasks: TaskAnswer[] = [];
  for (let count = 0; count < 3; count++) tasks.push((await order('hang-only')).data);
  await until(
    async () => (await Promise.all(tasks.map(read))).map(({ status }) => status).join(),
    (found) => found === 'processing,processing,processing',
  );
  clock.advance(301 * SECOND);
  const { fault, reason } = await until(
    () => circuitOf('hang-a'),
    ({ state }) => state === 'open',
  );
  assert.equal(fault, 'timeout');
  assert.match(reason, /hang-a does not answer: 3 calls are open, one for 30\d s/);
  assert.equal(told('warn', /engine hangs/), 1);
  answered.resolve();
  for (const task of tasks) await reached(task, 'succeeded', SECOND);
  assert.equal((await circuitOf('hang-a')).state, 'closed', 'what comes through closes it');
});

test('an order that waits for its upstream is canceled at once', async () => {
  failing('cancel-a', 'busy', { retryAfterMs: 600 * SECOND });
  const { data } = await order('cancel-only');
  const waiting = await until(
    () => inside(data),
    ({ step, worker }) => step === 'deferred' && worker === null,
  );
  assert.equal(waiting.refused_at, new Date(clock.now()).toISOString());
  assert.equal((await read(data)).can_cancel, true);
  const canceled = await call(keys.live, 'POST', data.urls.cancel);
  assert.equal(canceled.status, 200);
  assert.deepEqual([canceled.data.status, canceled.data.cost.state], ['canceled', 'released']);
  assert.equal(starts('cancel-a'), 1);
});
