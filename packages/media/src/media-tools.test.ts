import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { bombs } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import type { MediaLimits } from './media-limits.ts';
import { createMediaTools, type MediaTools } from './media-tools.ts';

const folder = await mkdtemp(join(tmpdir(), 'media-tools-'));
after(() => rm(folder, { recursive: true }));
const small = await keep(
  'small.png',
  await sharp({ create: { width: 30, height: 20, channels: 3, background: '#a50' } })
    .png()
    .toBuffer(),
);
/** Sound, and takes more than a second of processor time and 200 MB to decode. */
const costly = await keep('costly.png', bombs.interlacedPng(4096));
const OWNER = { owner: 'key_1' };

async function keep(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

function open(t: TestContext, limits: Partial<MediaLimits> = {}): { media: MediaTools; ended: string[] } {
  const ended: string[] = [];
  const media = createMediaTools({ size: 1, limits, onEnded: ({ reason }) => ended.push(reason) });
  t.after(() => media.close());
  return { media, ended };
}

/** The processes that this one has started. */
async function children(): Promise<number[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid ? [Number(pid)] : [];
      }),
  );
  return found.flat();
}

describe('media tools', () => {
  it('measure a file, and an output together with its thumbnail', async (t) => {
    const { media } = open(t);
    const probe = await media.probe(small, OWNER);
    assert.deepEqual([probe.contentType, probe.width, probe.height], ['image/png', 30, 20]);
    const output = await media.examineOutput(small, OWNER);
    assert.deepEqual(output.probe, probe);
    assert.equal((await sharp(output.thumbnail!).metadata()).format, 'webp');
    assert.equal(output.preview, null);
    const { contentType, bytes } = await media.edit('convertPicture', [await readFile(small), 1_000_000], OWNER);
    assert.deepEqual([contentType, (await sharp(bytes).metadata()).width], ['image/png', 30]);
    await assert.rejects(media.edit('convertPicture', [Buffer.from('none'), 1], OWNER), { kind: 'corrupt' });
  });

  it('refuse by the header what would take too much', async (t) => {
    const { media, ended } = open(t);
    const refused = [
      [bombs.avifOfNothing(), /^expected an AVIF image of at most 16\.8 megapixels, found 8192x8192 \(67\.1\)$/],
      [bombs.interlacedPng(4097), /^expected an interlaced PNG image of at most 16\.8 megapixels, found 4097x4097/],
      [bombs.mp4OfTracks(10_000), /^expected a video with at most 32 tracks, found more$/],
    ] as const;
    for (const [bytes, message] of refused)
      await assert.rejects(media.probe(await keep('refused', bytes), OWNER), { kind: 'too_large', message });
    assert.deepEqual(ended, []);
  });

  it('end a process that takes too much processor time', async (t) => {
    const { media, ended } = open(t, { cpuMs: 50 });
    const fault = { kind: 'too_costly', message: 'reading the file takes more than 0.05 s of processor time' };
    for (let file = 0; file < 2; file++) await assert.rejects(media.probe(costly, OWNER), fault);
    assert.deepEqual(ended, ['cpu', 'cpu']);
  });

  it('end a process that takes too much memory, but still measure an output', async (t) => {
    const { media, ended } = open(t, { memoryBytes: 150 * 2 ** 20 });
    await assert.rejects(media.probe(costly, OWNER), { kind: 'too_costly', message: /more than 150 MiB of memory/ });
    const { probe, thumbnail } = await media.examineOutput(costly, OWNER);
    assert.deepEqual([probe.width, thumbnail], [4096, null]);
    assert.deepEqual(ended, ['memory', 'memory']);
  });

  it('read a file again when the process is killed meanwhile', { skip: process.platform !== 'linux' }, async (t) => {
    const { media, ended } = open(t);
    await media.probe(small, OWNER);
    const [pid] = await children();
    const probing = media.probe(costly, OWNER);
    process.kill(pid!, 'SIGKILL');
    assert.equal((await probing).width, 4096);
    assert.deepEqual(ended, ['killed']);
  });

  it('start no process before a file is to be opened', { skip: process.platform !== 'linux' }, async (t) => {
    open(t);
    assert.deepEqual(await children(), []);
  });
});
