import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeServer } from '@darkroom-service/engines/fakes/fake-server';
import { until } from '@darkroom-service/testing/until';
import type { Database } from '../../src/database/database.ts';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { plainEntry } from '../plain-entry.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { startTestService } from '../service.ts';
import { ManualClock } from '../task-services.ts';

test('a result that cannot be fetched is asked for five times, then the task fails and is not charged', async (t) => {
  let downloads = 0;
  const upstream = await openFakeServer(({ reply }) => {
    downloads++;
    return reply(404, 'not here');
  });
  t.after(() => upstream.stop());
  const engine = createScriptedEngine();
  const source = { url: `${upstream.url}/fox.png`, allowOrigins: [upstream.url] };
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source, seed: null, revisedPrompt: null, tiles: null }] },
  });
  const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
  const clock = new ManualClock();
  const { keys, call, database } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, models)).directory },
    service: { engines: [engine], clock },
  });
  const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: 'scripted', prompt: 'a fox' });
  for (let count = 1; count < 5; count++) {
    await until(
      () => downloads,
      (found) => found === count,
    );
    await until(
      () => failedAttempts(database, data.task_id),
      (attempts) => attempts === count,
    );
    // It is due again within twenty seconds.
    clock.advance(20_000);
  }
  const { data: task } = await call(keys.live, 'GET', data.urls.self, undefined, { prefer: 'wait=60' });
  assert.deepEqual([task.status, task.error.code, task.cost.amount], ['failed', 'upstream_error', '0.00']);
  assert.match(task.error.message, /answered 404/);
  assert.equal(downloads, 5);
  assert.equal(engine.started.length, 1);
});

async function failedAttempts({ read }: Database, id: string): Promise<number | undefined> {
  return (await read.first(read.builder.selectFrom('tasks').select('attempts').where('id', '=', id)))?.attempts;
}
