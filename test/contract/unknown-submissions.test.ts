import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, type Idempotency } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What becomes of an order whose submission got no answer, by the idempotency of its upstream. */

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
const DELIVERY = { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] } as const;

/** What happens to each submission in turn; after the last one the upstream answers as it should. */
type Submission = 'taken, no answer' | 'lost' | 'busy' | 'bad key' | 'invalid' | 'refused anew' | 'taken, no name';

/** An upstream of one kind. It makes an order for each submission that it takes for a new one. */
function openUpstream(idempotency: Idempotency) {
  const made: string[] = [];
  const script = { submissions: [] as Submission[], hidden: 0 };
  const engine = createScriptedEngine({
    name: idempotency,
    idempotency,
    ...(idempotency === 'findable'
      ? { find: async (taskId) => (made.includes(taskId) && script.hidden-- <= 0 ? { taskId } : null) }
      : {}),
  });
  engine.answer = () => ({ status: 'succeeded', delivery: DELIVERY });
  engine.onStart = ({ taskId }) => {
    const submission = script.submissions.shift();
    const isRepeat = made.includes(taskId) && (idempotency === 'replays' || idempotency === 'refuses_duplicates');
    if (submission === 'busy') throw new EngineError('busy', 'too many at once', { took: 'no' });
    if (submission === 'bad key') throw new EngineError('auth', 'the key is wrong', { took: 'no' });
    if (submission === 'lost') throw new EngineError('timeout', 'no answer', { took: 'unknown' });
    if (submission === 'refused anew' || (submission === 'invalid' && !isRepeat))
      throw new EngineError('invalid_input', 'too long', { took: 'no' });
    if (!isRepeat) made.push(taskId);
    if (submission === 'taken, no answer') throw new EngineError('upstream', 'broken off', { took: 'unknown' });
    if (submission === 'taken, no name') throw new EngineError('upstream', 'it exists', { took: 'yes' });
  };
  return { engine, made, script };
}

const modelOf = (kind: Idempotency) => `at-${kind.replace('_', '-')}`;
const KINDS = ['replays', 'refuses_duplicates', 'findable', 'none'] as const;
const upstreams = Object.fromEntries(KINDS.map((kind) => [kind, openUpstream(kind)])) as Record<
  Idempotency,
  ReturnType<typeof openUpstream>
>;
const spare = createScriptedEngine({ name: 'spare' });
const clock = new ManualClock();
const overlay = await openCatalogOverlay(
  wholeFile,
  KINDS.map((kind) => plainEntry({ model_id: modelOf(kind), routes: [{ engine: kind }, { engine: 'spare' }] })),
);
const { call, keys } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { clock, engines: [...KINDS.map((kind) => upstreams[kind].engine), spare] },
});

async function order(kind: Idempotency, submissions: readonly Submission[]): Promise<TaskAnswer> {
  upstreams[kind].script.submissions = [...submissions];
  upstreams[kind].engine.started.length = 0;
  upstreams[kind].made.length = 0;
  await call(keys.admin, 'POST', `/admin/v1/engines/${kind}/circuit/close`);
  return (await call(keys.live, 'POST', '/v1/images', { model_id: modelOf(kind), prompt: 'a red fox' })).data;
}

/** Moves the clock until the task is final, each time with a picture, after whose end the process looks for work. */
const ended = (task: TaskAnswer, stepMs = 60_000) =>
  until(
    async () => {
      clock.advance(stepMs);
      const picture = { model_id: 'sketch', prompt: 'x', size: '64x64' };
      await call(keys.test, 'POST', '/v1/images', picture, { prefer: 'wait' });
      return (await call(keys.live, 'GET', task.urls.self)).data;
    },
    ({ status }) => ['succeeded', 'failed', 'canceled'].includes(status),
  );

for (const kind of ['replays', 'refuses_duplicates'] as const) {
  test(`an upstream that ${kind} gets an order without an answer again, and makes it once`, async () => {
    const { engine, made } = upstreams[kind];
    for (const lost of ['lost', 'taken, no answer'] as const) {
      const task = await ended(await order(kind, [lost, 'busy', 'bad key', 'lost']));
      assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
      assert.equal(task.cost.state, 'charged');
      assert.deepEqual(made, [task.task_id]);
      assert.deepEqual(new Set(engine.started.map(({ taskId }) => taskId)), new Set([task.task_id]));
      assert.equal(engine.started.length, 5);
    }
  });
}

test('an order that is refused when it is submitted again has an unknown outcome, open for the operator: its upstream may have made it', async () => {
  const { engine, made } = upstreams.replays;
  for (const first of ['taken, no answer', 'lost'] as const) {
    const task = await ended(await order('replays', [first, 'busy', 'refused anew']));
    assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'outcome_unknown', 'released']);
    assert.match(task.error.message, /before it was submitted again: too long\. The order is not charged\.$/);
    assert.deepEqual(made, first === 'lost' ? [] : [task.task_id]);
    assert.equal(engine.started.length, 3, 'a verdict is not asked for again');
    const { data } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
    const entry = data.items.find((item) => item.task_id === task.task_id);
    assert.deepEqual([entry?.kind, entry?.detail.took], ['outcome_unknown', 'unknown']);
  }
});

test('an order that is refused when it is first submitted ends with the reason', async () => {
  const task = await ended(await order('replays', ['invalid']));
  assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'invalid_input', 'released']);
});

test('an upstream that refuses a duplicate without naming the first order leaves the outcome unknown', async () => {
  const task = await ended(await order('refuses_duplicates', ['taken, no answer', 'taken, no name']));
  assert.deepEqual([task.error.code, task.cost.state], ['outcome_unknown', 'released']);
  assert.equal(upstreams.refuses_duplicates.made.length, 1);
});

test('a findable order is looked up again until it is found, and submitted once', async () => {
  const { engine, made, script } = upstreams.findable;
  const placed = await order('findable', ['taken, no answer']);
  script.hidden = 4;
  const task = await ended(placed);
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  assert.deepEqual([made.length, engine.started.length], [1, 1]);
});

test('an order without an answer at an upstream that can tell nothing ends at once and is submitted once', async () => {
  const task = await ended(await order('none', ['taken, no answer']));
  assert.deepEqual([task.error.code, task.cost.state], ['outcome_unknown', 'released']);
  assert.equal(upstreams.none.engine.started.length, 1);
});

test('until it is known whether its upstream has it, an order cannot be canceled and goes to no other route', async () => {
  const lost = Array.from({ length: 200 }, () => 'lost' as const);
  const placed = await order('replays', lost);
  await until(
    () => upstreams.replays.engine.started.length,
    (times) => times > 0,
  );
  const canceled = await call(keys.live, 'POST', placed.urls.cancel);
  assert.deepEqual([canceled.status, canceled.error.code], [409, 'not_cancelable']);
  const task = await ended(placed, 10 * 60_000);
  assert.deepEqual([task.error.code, task.cost.state], ['outcome_unknown', 'released']);
  assert.ok(upstreams.replays.engine.started.length > 10);
  assert.equal(spare.started.length, 0);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
  assert.ok(data.items.some((item) => item.task_id === task.task_id));
});
