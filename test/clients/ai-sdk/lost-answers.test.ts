import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { AbortError } from '@darkroom/client';
import { type GeneratedFile, generateImage } from 'ai';
import { startTestService } from '../../helpers/service.ts';
import { createStoppableEngine } from '../../helpers/swift-engine.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import type { Fault } from '../fault-proxy.ts';
import { prepare } from './prepare.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;
const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });
const CREATE = /^POST \/v1\/images$/;
const CONTENT = /^GET .*\/content/;
const IMAGE = { prompt: 'a red fox', providerOptions: { darkroom: { resolution: '0.5K' } } };

/** Orders one image despite faults of the requests that match, and checks that it was ordered and charged once. */
async function generatesDespite(t: TestContext, match: RegExp, faults: readonly Fault[]): Promise<GeneratedFile> {
  const { provider, proxy, images, charges } = await prepare(t, service, { responseTimeoutMs: 5_000 });
  proxy.fail(match, ...faults);
  const { image } = await generateImage({ model: provider.image('sketch'), ...IMAGE });
  assert.ok(proxy.sent(match).length > faults.length);
  const [task, ...others] = await images();
  const sha256 = createHash('sha256').update(image.uint8Array).digest('hex');
  assert.deepEqual([task?.outputs[0]?.sha256, others, (await charges()).length], [sha256, [], 1]);
  return image;
}

test('a 502 before and after the order is one order and one charge', async (t) => {
  await generatesDespite(t, CREATE, ['502 before', '502 after']);
});

test('an order whose answer takes too long is sent again, and made once', async (t) => {
  await generatesDespite(t, CREATE, ['drop answer']);
});

test('an image whose download breaks off arrives whole, and is ordered once', async (t) => {
  await generatesDespite(t, CONTENT, [{ cutAfter: 500 }, '502 after', 'lose answer']);
});

test('an aborted call names its task, which the client can cancel', async (t) => {
  const { provider, proxy, direct, images, charges } = await prepare(t, service);
  const { darkroom } = IMAGE.providerOptions;
  const providerOptions = { darkroom: { ...darkroom, simulate: { outcome: 'stuck' } } };
  const controller = new AbortController();
  const call = generateImage({
    model: provider.image('sketch'),
    prompt: IMAGE.prompt,
    providerOptions,
    abortSignal: controller.signal,
  }).catch((error: unknown) => error);
  while ((await images())[0]?.status !== 'processing');
  // An order begins before its answer is sent. Once the client follows it, the client knows its name.
  await proxy.count(/^GET \/v1\/images\/img_/, 1);
  controller.abort();
  const error = await call;
  assert.ok(error instanceof AbortError);
  await direct.images.cancel(error.taskId ?? '');
  assert.equal((await direct.images.wait(error.taskId ?? '')).cost.state, 'released');
  assert.deepEqual(await charges(), []);
});
