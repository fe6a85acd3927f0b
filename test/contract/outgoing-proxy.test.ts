import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeServer, smallPicture } from '@darkroom-service/engines/fakes/parts';
import { serveProxy } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';

test('references, results and webhooks go through the outgoing proxy, but not to the hosts of NO_PROXY', async (t) => {
  const png = await smallPicture;
  const vendor = await openFakeServer(({ reply }) => reply(200, png));
  const shop = await openFakeServer(({ reply }) => reply(200, png));
  t.after(() => Promise.all([vendor.stop(), shop.stop()]));
  const receiver = await startReceiver(t);
  const proxy = await serveProxy(t);
  const engine = createScriptedEngine();
  const source = { url: `${vendor.url}/fox.png`, allowOrigins: [vendor.url] };
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source, seed: null, revisedPrompt: null, tiles: null }] },
  });
  const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
  const environment = {
    DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, models)).directory,
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    http_proxy: `http://127.0.0.1:${proxy.port}`,
  };
  const hosts = [vendor.url, shop.url, receiver.url].map((url) => new URL(url).host);
  for (const [NO_PROXY, tunnels] of [
    ['', hosts],
    [hosts[1] ?? '', [hosts[0], hosts[2]]],
  ] as const) {
    proxy.tunnels.length = receiver.received.length = 0;
    const { keys, make } = await startTestService(t, {
      env: { ...environment, NO_PROXY },
      service: { engines: [engine] },
    });
    const reference = { model_id: 'sketch', prompt: 'a fox', image_urls: [`${shop.url}/fox.png`] };
    assert.equal((await make(keys.test, '/v1/images', reference)).status, 'succeeded');
    const order = { model_id: 'scripted', prompt: 'a fox', webhook_url: receiver.url };
    assert.equal((await make(keys.live, '/v1/images', order)).status, 'succeeded');
    await receiver.count(1);
    assert.deepEqual(new Set(proxy.tunnels.map(({ to }) => to)), new Set(tunnels));
  }
});
