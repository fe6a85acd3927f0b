import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { openInKeptPage } from './kept-page.ts';
import { assertUsable } from './usable.ts';

test('the costs show which routes lose with the keys at hand, the greatest loss first, and which costs are unknown', async (t) => {
  const entry = (name: string, cost: object, ...more: readonly object[]) =>
    plainEntry({
      model_id: name,
      name,
      pricing: { components: [{ per: 'image', amount: '0.01' }] },
      routes: [{ engine: 'scripted', cost: { as_of: '2026-11-21', ...cost } }, ...more],
    });
  const stated = (amount: string) => ({ source: 'a test', components: [{ per: 'image', amount }] });
  const { directory } = await openCatalogOverlay(t, [
    entry('hidden', { unknown: 'a page without a price' }),
    entry('dear', stated('0.02')),
    // The price follows the other route, which is cheaper.
    entry('dearest', stated('0.05'), { engine: 'other', cost: { as_of: '2026-11-21', ...stated('0.01') } }),
    entry('fair', stated('0.01')),
  ]);
  const service = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: directory, DARKROOM_BELOW_COST_MODELS: 'dear' },
    service: { engines: [createSwiftEngine(), createScriptedEngine(), createScriptedEngine({ name: 'other' })] },
  });
  const page = await openInKeptPage(t, service, { keys: service.keys, at: '/money/margins' });
  const panel = page.getByRole('region', { name: 'Upstream prices above yours' });
  const group = (words: string) => panel.getByRole('group').filter({ hasText: words });
  const sold = group('1 upstream price is above yours, and DARKROOM_BELOW_COST_MODELS allows the loss');
  await sold.getByRole('row', { name: /^dear scripted/ }).waitFor();
  const closed = group('1 upstream price is above yours, so the model is not sold there');
  assert.equal(await closed.getByRole('row').count(), 0, 'one line until it is opened');
  await closed.getByText('1 upstream price is above yours').click();
  await closed.getByRole('row', { name: /^dearest scripted Every order \$0\.01 \$0\.05 −\$0\.04/ }).waitFor();
  await group('1 upstream price is not known for some orders').getByText('1 upstream price').click();
  await panel.getByText('a page without a price').waitFor();
  await assertUsable(page);
});
