import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@mediabunny/server')
      throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  },
});
const { paintPicture } = await import('../jobs/paint-picture.ts');
const { decodeFrame } = await import('@darkroom-service/media/decoding');

const folder = await mkdtemp(join(tmpdir(), 'no-codecs-'));
after(() => rm(folder, { recursive: true }));

const output = { format: 'mp4', width: 64, height: 64, durationSeconds: 1, fps: 8, audio: true, tiles: null } as const;
const job = {
  path: join(folder, 'film.mp4'),
  output,
  seed: 1,
  action: null,
  values: { prompt: 'a tree' },
  media: [],
  parent: null,
  testMark: false,
};

it('a film without the optional codecs is not blamed on its order, and operators read what to install', async () => {
  await assert.rejects(
    paintPicture(job, () => undefined),
    ({ name, message, cause }: Error) =>
      name === 'MachineFault' &&
      message === 'no film can be made now' &&
      String(cause).includes('npm install @mediabunny/server'),
  );
});

it('a still needs no codecs', async () => {
  await paintPicture(
    { ...job, path: join(folder, 'still.png'), output: { ...output, format: 'png' } },
    () => undefined,
  );
});

it('a film is not looked into without codecs', async () => {
  assert.equal(await decodeFrame(job.path, 'video/mp4', 0), null);
});
