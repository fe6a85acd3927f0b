import assert from 'node:assert/strict';
import { test } from 'node:test';
import { experimental_generateVideo as generateVideo } from 'ai';
import sharp from 'sharp';
import { startTestService } from '../../helpers/service.ts';
import { startReceiver } from '../../helpers/webhook-receiver.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { prepare } from './prepare.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;
const service = await startTestService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const FILM = { prompt: 'a sailing boat', duration: 1, resolution: '640x360' } as const;
const CREATE = /^POST \/v1\/videos$/;
const POLL = { intervalMs: 300 };

test('a video is ordered, waited for and downloaded without polls', async (t) => {
  const { provider, proxy, videos } = await prepare(t, service);
  const result = await generateVideo({ model: provider.video('sketch-motion'), ...FILM, fps: 24 });
  assert.equal(result.video.mediaType, 'video/mp4');
  assert.ok(result.video.uint8Array.length > 1_000);
  const [task] = await videos();
  assert.deepEqual([task?.input.resolution, task?.input.aspect_ratio, task?.input.fps], ['360p', '16:9', 24]);
  const [told] = result.providerMetadata.darkroom!.videos as unknown as readonly { taskId: string; cost: object }[];
  assert.deepEqual([told?.taskId, told?.cost], [task?.task_id, { amount: task?.cost.amount, currency: 'USD' }]);
  assert.equal(proxy.sent(/^GET \/v1\/videos\/vid_\w+$/).length, 0);
});

test('a video that is polled for has one key over the retries of the AI SDK, and is ordered once', async (t) => {
  const { provider, proxy, videos, charges } = await prepare(t, service, { retries: 0 });
  proxy.fail(CREATE, 'lose answer', { status: 503, body: '' });
  const result = await generateVideo({ model: provider.video('sketch-motion'), ...FILM, poll: POLL });
  assert.equal(result.videos.length, 1);
  const keys = proxy.seen
    .filter(({ method, path }) => CREATE.test(`${method} ${path}`))
    .map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(String(keys[0]), /^aisdk_vid_/);
  assert.equal((await videos()).length, 1);
  assert.equal((await charges()).length, 1);
});

test('a video from a first frame is told by a webhook', async (t) => {
  const { provider, videos } = await prepare(t, service);
  const receiver = await startReceiver(t);
  const image = await sharp({ create: { width: 320, height: 180, channels: 3, background: '#763' } })
    .png()
    .toBuffer();
  const webhook = async () => ({
    url: receiver.url,
    received: receiver.count(1).then(() => ({ headers: {}, body: JSON.parse(receiver.received[0]?.body ?? '') })),
  });
  const prompt = { image, text: 'a sailing boat' };
  const result = await generateVideo({ model: provider.video('sketch-motion'), ...FILM, prompt, webhook });
  assert.equal(result.video.mediaType, 'video/mp4');
  assert.match(String((await videos())[0]?.input.first_frame_url), /^upload:/);
});

test('a failed video is told with its reason, by either way, and not charged', async (t) => {
  const { provider, videos, charges } = await prepare(t, service);
  const simulate = { outcome: 'upstream_error', seconds: 0 };
  const call = { model: provider.video('sketch-motion'), ...FILM, providerOptions: { darkroom: { simulate } } };
  await assert.rejects(generateVideo(call), /vid_\w+ failed: .*Nothing was charged/);
  await assert.rejects(generateVideo({ ...call, poll: POLL }), /vid_\w+ failed: .*Nothing was charged/);
  assert.equal((await videos()).length, 2);
  assert.deepEqual(await charges(), []);
});
