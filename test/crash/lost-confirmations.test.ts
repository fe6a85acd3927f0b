import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EngineError, type Order } from '@darkroom-service/engines';
import { UnknownOutcome } from '@darkroom-service/store';
import { until } from '@darkroom-service/testing';
import { outputsOf } from '../../src/record/task-json.ts';
import { createConfirmedUnsent } from '../../src/worker/confirmed-unsent.ts';
import { openBreakableConnection } from '../helpers/breakable-connection.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * Commits around the hand-over that nobody confirmed, told of an engine that is paid and cannot be asked what it has.
 */

/** Short, and yet longer than a busy machine puts a process off. */
const LEASE = { ms: 5_000, renewEveryMs: 500 };

const line = await openBreakableConnection(wholeFile, await createPostgresDatabase(wholeFile));
const engine = createScriptedEngine();
/** Answers an order with its result. */
const instant = {
  ...createScriptedEngine({ name: 'instant' }),
  isBlocking: true,
  async start(order: Order) {
    engine.started.push(order);
    return { done: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] } };
  },
};
const models = [
  plainEntry({ model_id: 'instant', routes: [{ engine: 'instant' }] }),
  plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] }),
  fromPictureEntry({ model_id: 'from-picture', routes: [{ engine: 'scripted' }] }),
];
interface Act {
  /** Of the commit. */
  readonly name: string;
  readonly act: () => void;
}
/** Called once, just before the next commit of that name is sent. */
let before: Act | null = null;
/** The same, just after it was confirmed. */
let after: Act | null = null;
const { call, config, database, keys, url } = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: (await openCatalogOverlay(wholeFile, models)).directory,
    DARKROOM_DATABASE_URL: line.url,
  },
  service: {
    engines: [engine, instant],
    tempo: { lease: LEASE },
    commitHook(moment, names) {
      const wish = moment === 'before' ? before : after;
      if (wish === null || !names.includes(wish.name)) return;
      if (moment === 'before') before = null;
      else after = null;
      wish.act();
    },
  },
});
engine.answer = () => ({
  status: 'succeeded',
  delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
});
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);

/** Orders, and waits for the end; while the line is down it asks again. */
async function succeeds(name: string, act: () => void, model = 'scripted'): Promise<TaskAnswer> {
  let ended: TaskAnswer;
  const begun = engine.started.length;
  before = { name, act };
  const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: model, prompt: 'a fox' });
  for (let tries = 0; ; tries++) {
    const answer = await call(keys.live, 'GET', data.urls.self, undefined, { prefer: 'wait=5' });
    const { status, error } = answer.data ?? {};
    if (status === 'queued' || status === 'processing' || answer.status === 503) {
      assert.ok(tries < 200, 'it never ended');
      await pause(50);
      continue;
    }
    assert.deepEqual([status, error], ['succeeded', null]);
    ended = answer.data;
    break;
  }
  assert.equal(before, null, `the commit of ${name} was reached`);
  assert.equal(engine.started.length, begun + 1, 'it was handed over once');
  return ended;
}

test('an order whose move to submitting was committed but not confirmed is still submitted, once', async () => {
  await succeeds('submitting', () => line.loseNextCommit());
});

test('an order whose move to submitting was neither committed nor confirmed is submitted too, once', async () => {
  await succeeds('submitting', () => {
    throw new UnknownOutcome('the commit was not confirmed');
  });
});

test('an order that began as it was placed is submitted once, although that commit was not confirmed', async () => {
  const order = { model_id: 'instant', prompt: 'an order that begins at once' };
  const waits = { prefer: 'wait=20' };
  const { read } = database;
  const query = read.builder.selectFrom('tasks').select(['id', 'step', 'status']).where('model_id', '=', 'instant');
  const rows = () => read.all(query);
  // Soon after an order the process expects the next one. A slow machine may take longer.
  for (let step = ''; step !== 'submitting'; ) {
    assert.equal((await call(keys.live, 'POST', '/v1/images', order, waits)).data.status, 'succeeded');
    const begun = engine.started.length;
    const known = new Set((await rows()).map(({ id }) => id));
    before = { name: 'create_task', act: () => line.loseNextCommit() };
    const unsure = await call(keys.live, 'POST', '/v1/images', order, waits);
    assert.equal(unsure.status, 503);
    // The server commits as soon as it reads the end of what was sent, also after its caller has given up.
    const [stored] = await until(
      async () => (await answered(rows)).filter(({ id }) => !known.has(id)),
      ([found]) => found !== undefined,
    );
    assert.ok(stored !== undefined);
    ({ step } = stored);
    const ended = await until(rows, (all) => all.every((each) => each.step === 'final'));
    assert.equal(ended.find(({ id }) => id === stored.id)?.status, 'succeeded');
    assert.equal(engine.started.length, begun + 1, 'it was handed over once');
  }
});

test('so is an order that the same process claims again after its lease expired', async () => {
  await succeeds('submitting', () => {
    line.loseNextCommit({ andCut: true });
    setTimeout(() => line.mend(), LEASE.ms + 500);
  });
});

test('an order that the engine refused for now is offered again, also where that could not be written', async () => {
  let refusals = 0;
  engine.onStart = () => {
    if (refusals++ > 0) return;
    engine.started.pop();
    throw new EngineError('busy', 'too many at once', { took: 'no', retryAfterMs: 50 });
  };
  await succeeds('deferred', () => {
    throw new UnknownOutcome('the commit was not confirmed');
  });
  assert.equal(refusals, 2);
});

test('a picture whose settlement was committed and not confirmed stays in storage, and in the spool until that is known', async () => {
  let isSpooled = false;
  const loses: (() => void)[] = [
    () => line.loseNextCommit(),
    () => {
      line.loseNextCommit({ andCut: true });
      setTimeout(() => {
        isSpooled ||= readdirSync(join(config.dataDirectory, 'spool'), { recursive: true }).some((name) =>
          `${name}`.endsWith('answer.json'),
        );
        line.mend();
      }, 500);
    },
  ];
  for (const [lose, model] of loses.flatMap((one) => [[one, 'instant'] as const, [one, 'scripted'] as const])) {
    const { task_id: id, cost } = await succeeds('settle_succeeded', lose, model);
    assert.equal(cost.state, 'charged');
    await isStored(id);
    const { read } = database;
    const row = await read.first(read.builder.selectFrom('tasks').select('outputs_json').where('id', '=', id));
    const [output] = outputsOf(row!);
    assert.deepEqual(await readFile(join(config.filesDirectory, output!.key)), PICTURE);
  }
  assert.ok(isSpooled, 'a kill would have lost the answer');
});

test('only the next claim of the same process trusts the record, and none does once the engine was called', () => {
  const confirmedUnsent = createConfirmedUnsent();
  const at = (fence: number) => ({ id: 'img_1', fence });
  assert.equal(confirmedUnsent.has(at(4)), false);
  confirmedUnsent.record(at(3));
  assert.equal(confirmedUnsent.has(at(4)), true);
  assert.equal(confirmedUnsent.has(at(5)), false, 'another process had it in between');
  confirmedUnsent.record(at(4));
  assert.deepEqual([confirmedUnsent.has(at(4)), confirmedUnsent.has(at(5))], [false, true]);
  confirmedUnsent.forget('img_1');
  assert.equal(confirmedUnsent.has(at(5)), false);
});

test('an unconfirmed order may be repeated only with an Idempotency-Key, which finds it', async () => {
  const order = { model_id: 'scripted', prompt: 'an order without an answer' };
  before = { name: 'create_task', act: () => line.loseNextCommit({ andCut: true }) };
  const blind = await call(keys.live, 'POST', '/v1/images', order);
  line.mend();
  assert.deepEqual([blind.status, blind.error.code, blind.error.retryable], [503, 'service_unavailable', false]);
  assert.match(blind.error.message, /unknown whether the request took effect/);
  const keyed = { 'idempotency-key': 'found-again' };
  before = { name: 'create_task', act: () => line.loseNextCommit({ andCut: true }) };
  const unsure = await call(keys.live, 'POST', '/v1/images', order, keyed);
  line.mend();
  assert.deepEqual([unsure.status, unsure.error.retryable], [503, true]);
  assert.match(unsure.error.message, /unknown whether the request took effect/);
  const found = await answered(() => call(keys.live, 'POST', '/v1/images', order, keyed));
  assert.deepEqual([found.status, found.headers.get('idempotent-replayed')], [201, 'true']);
});

test('what was committed and not confirmed keeps its files', async () => {
  const order = {
    model_id: 'from-picture',
    prompt: 'a fox',
    image_urls: [`data:image/png;base64,${PICTURE.toString('base64')}`],
  };
  const upload = () =>
    fetch(`${url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.live}`, 'content-type': 'image/png' },
      body: PICTURE,
    });
  const known = new Set(await storedFiles());
  before = { name: 'create_task', act: () => line.loseNextCommit() };
  assert.equal((await call(keys.live, 'POST', '/v1/images', order)).status, 503);
  before = { name: 'take_upload', act: () => line.loseNextCommit() };
  assert.equal((await upload()).status, 503);
  const stored = (await answered(storedFiles)).filter((key) => !known.has(key));
  assert.equal(stored.length, 2);
  for (const key of stored) assert.ok(existsSync(join(config.filesDirectory, key)), key);
});

test('an order that is taken is answered so, although the database goes away at that moment', async () => {
  for (const headers of [{}, { prefer: 'wait=5' }]) {
    after = { name: 'create_task', act: () => line.cut() };
    const { status, data } = await call(
      keys.live,
      'POST',
      '/v1/images',
      { model_id: 'scripted', prompt: 'x' },
      headers,
    );
    line.mend();
    assert.deepEqual([status, data.status], [201, 'queued']);
  }
});

/** Resolves once the process no longer has the answer to an order in hand. */
async function isStored(taskId: string): Promise<void> {
  const spool = join(config.dataDirectory, 'spool');
  for (let tries = 0; (await readdir(spool, { recursive: true })).some((name) => name.includes(taskId)); tries++) {
    assert.ok(tries < 400, 'its answer was never stored');
    await pause(50);
  }
}

async function storedFiles(): Promise<string[]> {
  const { read } = database;
  const rows = await read.all(read.builder.selectFrom('files').select('storage_key'));
  return rows.map((row) => row.storage_key);
}

/** Asks again while the line comes back. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await ask();
      if ((answer as { status?: unknown }).status !== 503) return answer;
    } catch (error) {
      if (tries >= 1_000) throw error;
    }
    assert.ok(tries < 1_000, 'it never came back');
    await pause(50);
  }
}
