import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { conformanceEntry } from '../conformance-entry.ts';
import { startTestService } from '../service.ts';

test('an operator sees which variable makes a model live, and which model needs an engine that does not exist', async (t) => {
  const { directory } = await openCatalogOverlay(t, [
    conformanceEntry('switchable', [
      { engine: 'nowhere' },
      { engine: 'kling', model: 'x' },
      { engine: 'fal', model: 'y' },
    ]),
    conformanceEntry('waiting', [{ engine: 'nowhere' }]),
  ]);
  const { keys, call } = await startTestService(t, { env: { DARKROOM_CATALOG_DIR: directory } });
  const { data } = await call(keys.admin, 'GET', '/admin/v1/models');
  const why = (id: string) => data.items.find((one) => one.model_id === id)?.not_live_because ?? '';
  assert.equal(
    why('switchable'),
    'None of its engines is set up. Set one of these and start again: KLING_API_KEY, FAL_KEY.',
  );
  assert.match(why('waiting'), /^It waits for an engine that does not exist yet \(nowhere\)/);
});
