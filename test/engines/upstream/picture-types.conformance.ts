import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { createKlingEngine, createOpenAiEngine } from '@darkroom-service/engines/adapters';
import { openFakeKling, openFakeOpenAi } from '@darkroom-service/engines/fakes';
import { type FakeUpstream, type HarnessTools, inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import sharp from 'sharp';
import { createLog } from '../../../src/base/log.ts';
import { loadShippedCatalog, modelOf } from '../../../src/catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../../../src/catalog/resolve-request.ts';
import { orderOf } from '../../helpers/catalog-routes.ts';

type Tools = HarnessTools & { readonly key: string };
interface Picky {
  readonly name: string;
  readonly model: string;
  readonly field: string;
  readonly openFake: () => Promise<FakeUpstream>;
  readonly open: (fake: FakeUpstream, tools: Tools) => Engine;
}

const PICKY: readonly Picky[] = [
  {
    name: 'Kling',
    model: 'kling-image-3',
    field: 'pictures',
    openFake: openFakeKling,
    open: (fake, tools) => createKlingEngine({ ...tools, url: fake.url }),
  },
  {
    name: 'OpenAI',
    model: 'gpt-image-2',
    field: 'image',
    openFake: openFakeOpenAi,
    open: (fake, tools) => createOpenAiEngine({ ...tools, url: fake.url }),
  },
];
const catalog = await loadShippedCatalog();

for (const { name, model: modelId, field, openFake, open } of PICKY) {
  test(`${name} gets pictures of types that it does not read as ones that it does, upright and in their colours`, async (t) => {
    const fake = await openFake();
    t.after(() => fake.stop());
    const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
    t.after(close);
    const engine = open(fake, {
      clock: systemClock,
      log: createLog('silent'),
      fetch,
      pictures: inProcessPictures,
      key: fake.key,
    });
    const model = modelOf(catalog, modelId);
    const plain = () => sharp({ create: { width: 60, height: 40, channels: 4, background: '#a63a' } });
    const lying = plain().withMetadata({ orientation: 6 });
    const pictures = {
      webp: lying.webp({ lossless: true }),
      gif: plain().gif(),
      avif: plain().avif({ lossless: true }),
    };
    for (const [type, picture] of Object.entries(pictures)) {
      const bytes = await picture.toBuffer();
      const body = { prompt: `a fox [[job=${type}]]`, image_urls: ['https://example.com/a'] };
      const found = resolveRequest(model, body, { purpose: 'create' });
      const [route] = model.routes.filter(({ model: other, when = {} }) => {
        const { present } = (when.image_urls ?? {}) as { readonly present?: boolean };
        return present !== false && other !== null;
      });
      assert.ok(found.ok && route !== undefined);
      const order = orderOf(found.request, route, `task-${type}`);
      const media = order.media.map((one) => ({
        ...one,
        contentType: `image/${type}`,
        bytes: bytes.length,
        open: async () => Readable.from([bytes]),
      }));
      const context = { signal: AbortSignal.timeout(5000), onProgress: () => {} };
      await engine.start({ ...order, media }, context);
      const job = [...fake.jobs.values()].find((one) => one.name === type);
      const received = Buffer.from(String([job?.input[field]].flat()[0]).split(',')[1] ?? '', 'base64');
      const metadata = await sharp(received).metadata();
      const isRead = name === 'OpenAI' && type === 'webp';
      assert.deepEqual([metadata.format, metadata.hasAlpha], [isRead ? 'webp' : 'png', true]);
      const { width, height } = metadata.autoOrient;
      assert.deepEqual([width, height], type === 'webp' ? [40, 60] : [60, 40]);
      if (type === 'gif') continue;
      const [red = 0, green = 0] = await sharp(received).raw().toBuffer();
      assert.ok(Math.abs(red - 0xaa) < 4 && Math.abs(green - 0x66) < 4, `${red} ${green}`);
    }
  });
}
