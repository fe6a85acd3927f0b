import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeArk, openFakeGoogle, openFakeOpenAi } from '@darkroom-service/engines/fakes';
import { startTestService } from '../../helpers/service.ts';

test('an order costs what its upstream counted, each kind of token at its own price', async (t) => {
  const [openai, google, ark] = await Promise.all([openFakeOpenAi(), openFakeGoogle(), openFakeArk()]);
  const { call, keys, make } = await startTestService(t, {
    env: {
      OPENAI_API_KEY: openai.key,
      DARKROOM_OPENAI_URL: openai.url,
      GEMINI_API_KEY: google.key,
      DARKROOM_GOOGLE_URL: google.url,
      ARK_API_KEY: ark.key,
      DARKROOM_BYTEPLUS_URL: ark.url,
      DARKROOM_COST_MULTIPLIERS: 'openai=0.5',
    },
  });
  t.after(() => Promise.all([openai, google, ark].map((fake) => fake.stop())));
  // The fakes deliver a picture in place of a video: such an order fails, and costs what was counted.
  const orders = [
    // Half of 1,756 × 0.00003 for the image, 10 × 0.000005 for the prompt and 40 × 0.000008 for an image.
    ['images', { model_id: 'gpt-image-2', quality: 'medium', size: '1024x1024' }, '0.026525'],
    // 1,120 × 0.00003 for the image, 10 × 0.0000015 for the prompt, 170 × 0.0000075 for what was thought.
    ['images', { model_id: 'nano-banana-2.1' }, '0.03489'],
    // 46,336 × 0.000012, 10 × 0.0000015, 100 × 0.000009
    ['videos', { model_id: 'gemini-omni-flash-1.2' }, '0.556947'],
    // 108,900 × 0.000007
    ['videos', { model_id: 'seedance-2.0', duration: 5, resolution: '720p' }, '0.7623'],
  ] as const;
  for (const [path, body, told] of orders) {
    await make(keys.live, `/v1/${path}`, { ...body, prompt: 'a fox' });
    const { items } = (await call(keys.admin, 'GET', `/admin/v1/costs/orders?model_id=${body.model_id}`)).data;
    assert.deepEqual([items.length, items[0]?.told], [1, told], JSON.stringify(items));
  }
});
