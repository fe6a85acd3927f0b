import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Films made longer: the last frame of one begins the next, and both are joined. */

const { call, keys, make, url } = await startTestService(wholeFile);
const CLIP = { model_id: 'sketch-motion', prompt: 'a fox runs', resolution: '360p', duration: 1, generate_audio: true };
const sources = (...films: TaskAnswer[]) => films.map(({ task_id: id }) => `task:${id}`);

async function contentOf(task: TaskAnswer): Promise<Buffer> {
  const headers = { authorization: `Bearer ${keys.live}` };
  const answer = await fetch(new URL(task.outputs[0].content_url, url), { headers });
  return Buffer.from(await answer.arrayBuffer());
}

const first = await make(keys.live, '/v1/videos', CLIP);
const second = await make(keys.live, '/v1/videos', { ...CLIP, prompt: 'a fox sleeps' });

test('the last frame of a film is an image of its size, free, and begins the next film', async () => {
  const frame = await make(keys.live, '/v1/images', { model_id: 'last-frame', video_url: sources(first)[0] });
  assert.deepEqual([frame.status, frame.cost.amount], ['succeeded', '0.00'], JSON.stringify(frame.error));
  const [{ width, height }] = first.outputs;
  assert.deepEqual([frame.outputs[0].width, frame.outputs[0].height], [width, height]);
  const { format } = await sharp(await contentOf(frame)).metadata();
  assert.equal(format, 'png');
  const next = await make(keys.live, '/v1/videos', { ...CLIP, first_frame_url: sources(frame)[0] });
  assert.equal(next.status, 'succeeded', JSON.stringify(next.error));
});

test('films of one size are joined in their order, as long as both, with sound, and cost nothing', async () => {
  const body = { model_id: 'join', video_urls: sources(first, second, first) };
  const joined = await make(keys.live, '/v1/videos', body);
  assert.deepEqual([joined.status, joined.cost.amount], ['succeeded', '0.00'], JSON.stringify(joined.error));
  assert.deepEqual(joined.warnings ?? [], []);
  const [{ width, height, duration_seconds: seconds }] = joined.outputs;
  assert.deepEqual([width, height], [first.outputs[0].width, first.outputs[0].height]);
  const each = Number(first.outputs[0].duration_seconds);
  assert.ok(Math.abs(Number(seconds) - 3 * each) < 0.1, `${seconds} s of three times ${each} s`);
  const last = await make(keys.live, '/v1/images', { model_id: 'last-frame', video_url: sources(joined)[0] });
  const same = await make(keys.live, '/v1/images', { model_id: 'last-frame', video_url: sources(first)[0] });
  assert.deepEqual(
    await sharp(await contentOf(last))
      .raw()
      .toBuffer(),
    await sharp(await contentOf(same))
      .raw()
      .toBuffer(),
  );
});

test('films of two sizes are refused with both, at no charge', async () => {
  const large = await make(keys.live, '/v1/videos', { ...CLIP, resolution: '480p' });
  const joined = await make(keys.live, '/v1/videos', { model_id: 'join', video_urls: sources(first, large) });
  assert.deepEqual([joined.status, joined.error?.code, joined.cost.state], ['failed', 'invalid_input', 'released']);
  assert.match(joined.error?.message ?? '', /video 1 has \d+x\d+ pixels and video 2 \d+x\d+/);
});

test('a single film and an image cannot be joined', async () => {
  for (const video_urls of [sources(first), ['task:img_00000000000000000000000000', ...sources(first)]]) {
    const { status } = await call(keys.live, 'POST', '/v1/videos', { model_id: 'join', video_urls });
    assert.equal(status, 400);
  }
});
