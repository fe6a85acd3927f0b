import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { UnknownOutcome } from '../../src/database/write-queue.ts';
import { EngineError } from '../../src/engines/engine.ts';
import { createUnsentOrders } from '../../src/tasks/unsent-orders.ts';
import { openBreakableLine } from '../breakable-line.ts';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { plainEntry } from '../plain-entry.ts';
import { createPostgresDatabase } from '../postgres-server.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { startTestService, wholeFile } from '../service.ts';

/** Commits around the hand-over that nobody confirmed, told of an engine that is paid and cannot be asked what it has. */

const LEASE = { ms: 1_500, renewEveryMs: 500 };

const line = await openBreakableLine(wholeFile, await createPostgresDatabase(wholeFile));
const engine = createScriptedEngine();
const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
/** Called once, just before the next commit of that name is sent. */
let before: { readonly name: string; readonly act: () => void } | null = null;
const { call, keys } = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: (await openCatalogOverlay(wholeFile, models)).directory,
    DARKROOM_DATABASE_URL: line.url,
  },
  service: {
    engines: [engine],
    tempo: { lease: LEASE },
    commitHook(moment, names) {
      if (moment !== 'before' || before === null || !names.includes(before.name)) return;
      const { act } = before;
      before = null;
      act();
    },
  },
});
engine.answer = () => ({
  status: 'succeeded',
  delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
});
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Orders, and waits for the end; while the line is down it asks again. */
async function succeeds(name: string, act: () => void): Promise<void> {
  const begun = engine.started.length;
  before = { name, act };
  const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: 'scripted', prompt: 'a fox' });
  for (let tries = 0; ; tries++) {
    const answer = await call(keys.live, 'GET', data.urls.self, undefined, { prefer: 'wait=5' });
    const { status, error } = answer.data ?? {};
    if (status === 'queued' || status === 'processing' || answer.status === 503) {
      assert.ok(tries < 200, 'it never ended');
      await pause(50);
      continue;
    }
    assert.deepEqual([status, error], ['succeeded', null]);
    break;
  }
  assert.equal(before, null, `the commit of ${name} was reached`);
  assert.equal(engine.started.length, begun + 1, 'it was handed over once');
}

test('an order whose move to submitting was committed and not confirmed is handed over all the same, once', async () => {
  await succeeds('submitting', () => line.loseNextCommit());
});

test('so is one whose move may have been committed and was not', async () => {
  await succeeds('submitting', () => {
    throw new UnknownOutcome('the commit was not confirmed');
  });
});

test('so is one that the same process finds again after its claim was over', async () => {
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

test('only the next claim of the same process trusts what was noted, and nobody once the engine was called', () => {
  const unsent = createUnsentOrders();
  const at = (fence: number) => ({ id: 'img_1', fence });
  assert.equal(unsent.has(at(4)), false);
  unsent.note(at(3));
  assert.equal(unsent.has(at(4)), true);
  assert.equal(unsent.has(at(5)), false, 'another process had it in between');
  unsent.note(at(4));
  assert.deepEqual([unsent.has(at(4)), unsent.has(at(5))], [false, true]);
  unsent.forget('img_1');
  assert.equal(unsent.has(at(5)), false);
});
