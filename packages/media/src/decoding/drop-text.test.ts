import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pngChunk } from '@darkroom-service/engines/fakes/parts';
import { plainFilm } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import * as bunny from 'mediabunny';
import sharp from 'sharp';
import { MediaFault } from '../media-fault.ts';
import { dropText } from './drop-text.ts';

const folder = await mkdtemp(join(tmpdir(), 'drop-text-'));
after(() => rm(folder, { recursive: true }));
const WORKFLOW = JSON.stringify({ 3: { class_type: 'KSampler', inputs: { seed: 4, text: 'x'.repeat(3000) } } });
const pixels = Buffer.from(Array.from({ length: 40 * 24 * 3 }, (_, index) => (index * 37) % 251));
const picture = () => sharp(pixels, { raw: { width: 40, height: 24, channels: 3 } });
const exif = { IFD0: { Model: `prompt:${WORKFLOW}` } };

async function without(bytes: Uint8Array): Promise<Buffer> {
  const [path, into] = [join(folder, 'given'), join(folder, 'clean')];
  await writeFile(path, bytes);
  await dropText(path, into);
  return await readFile(into);
}

test('a PNG loses every text that ComfyUI writes, and keeps all other bytes, also C2PA', async () => {
  const plain = await picture().png().toBuffer();
  const [head, rest] = [plain.subarray(0, 33), plain.subarray(33)];
  const end = plain.subarray(plain.length - 12);
  const mark = pngChunk('caBX', 'a manifest');
  const texts = ['tEXt', 'zTXt', 'iTXt', 'eXIf'].map((type) => pngChunk(type, `prompt\0${WORKFLOW}`));
  // Animations have their workflow in a chunk of their own, behind the pixels.
  const animated = pngChunk('comf', `prompt\0${WORKFLOW}`);
  const given = Buffer.concat([head, ...texts, mark, rest.subarray(0, -12), animated, end]);
  assert.deepEqual(await without(given), Buffer.concat([head, mark, rest]));
});

test('a JPEG, a WebP and a GIF lose EXIF, XMP and comments, and their pixels stay', async () => {
  const files = {
    jpeg: await picture().jpeg().withExif(exif).withXmp(`<x>${WORKFLOW}</x>`).toBuffer(),
    webp: await picture().webp({ lossless: true }).withExif(exif).withXmp(`<x>${WORKFLOW}</x>`).toBuffer(),
    gif: await withGifComment(await picture().gif().toBuffer()),
  };
  for (const [format, given] of Object.entries(files)) {
    assert.ok(given.includes('KSampler'), format);
    const clean = await without(given);
    assert.ok(!clean.includes('KSampler'), format);
    const read = await sharp(clean).metadata();
    assert.deepEqual(
      [read.format, read.exif, read.xmp, read.width, read.height],
      [format, undefined, undefined, 40, 24],
    );
    const [before, now] = await Promise.all([given, clean].map((file) => sharp(file).raw().toBuffer()));
    assert.ok(before?.equals(now as Buffer), format);
    assert.deepEqual(await without(clean), clean, format);
  }
});

test('an MP4, a MOV and a Matroska film lose their tags, and every sample stays in its place', async () => {
  for (const format of [new bunny.Mp4OutputFormat(), new bunny.MovOutputFormat(), new bunny.MkvOutputFormat()]) {
    const given = await withTags(await plainFilm({ width: 64, height: 48, durationSeconds: 1 }, 'a'), format);
    assert.ok(given.includes('KSampler'), format.mimeType);
    const clean = await without(given);
    assert.ok(!clean.includes('KSampler'), format.mimeType);
    assert.equal(clean.length, given.length);
    const [before, now] = [await readFilm(given), await readFilm(clean)];
    assert.deepEqual(now.samples, before.samples);
    assert.ok(JSON.stringify(before.tags).includes('KSampler'));
    assert.ok(!JSON.stringify(now.tags).includes('KSampler'));
    assert.deepEqual(await without(clean), clean);
  }
});

test('a file without texts is copied as it is, and any bytes end in a copy or a media fault', async () => {
  const avif = await picture().avif().toBuffer();
  assert.deepEqual(await without(avif), avif);
  const start = fc.constantFrom(
    '89504e470d0a1a0a',
    'ffd8ff',
    '474946383961',
    '524946461000000057454250',
    '0000000866747970',
    '1a45dfa380',
  );
  const part = fc.constantFrom(
    '0000000874455874',
    '0000001475647461',
    '21fe',
    '2c',
    'ffe1',
    '1254c36784',
    '18538067ff',
  );
  const rest = fc.array(
    fc.oneof(
      part,
      fc.uint8Array({ maxLength: 20 }).map((b) => Buffer.from(b).toString('hex')),
    ),
  );
  await fc.assert(
    fc.asyncProperty(start, rest, async (head, parts) => {
      await without(Buffer.from(head + parts.join(''), 'hex')).catch((error: unknown) =>
        assert.ok(error instanceof MediaFault, String(error)),
      );
    }),
    { numRuns: 300 },
  );
});

async function withGifComment(gif: Buffer): Promise<Buffer> {
  const at = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
  const blocks = (WORKFLOW.match(/.{1,255}/g) ?? []).map((text) => Buffer.from([text.length, ...Buffer.from(text)]));
  return Buffer.concat([gif.subarray(0, at), Buffer.of(0x21, 0xfe), ...blocks, Buffer.of(0), gif.subarray(at)]);
}

async function withTags(film: Buffer, format: bunny.OutputFormat): Promise<Buffer> {
  const input = new bunny.Input({ source: new bunny.BufferSource(film), formats: bunny.ALL_FORMATS });
  const output = new bunny.Output({ format, target: new bunny.BufferTarget() });
  const track = await input.getPrimaryVideoTrack();
  assert.ok(track !== null && track.codec !== null);
  const source = new bunny.EncodedVideoPacketSource(track.codec);
  output.addVideoTrack(source);
  output.setMetadataTags({ comment: WORKFLOW, raw: { prompt: WORKFLOW, PROMPT: WORKFLOW } });
  await output.start();
  const config = (await track.getDecoderConfig()) ?? undefined;
  for await (const packet of new bunny.EncodedPacketSink(track).packets())
    await source.add(packet, config === undefined ? undefined : { decoderConfig: config });
  await output.finalize();
  return Buffer.from(output.target.buffer as ArrayBuffer);
}

async function readFilm(film: Buffer) {
  const input = new bunny.Input({ source: new bunny.BufferSource(film), formats: bunny.ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  assert.ok(track !== null);
  const samples: unknown[] = [];
  for await (const { timestamp, data } of new bunny.EncodedPacketSink(track).packets())
    samples.push([timestamp, Buffer.from(data).toString('base64')]);
  return { samples, tags: await input.getMetadataTags() };
}
