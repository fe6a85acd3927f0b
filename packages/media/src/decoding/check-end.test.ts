import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  FlacOutputFormat,
  Mp3OutputFormat,
  Output,
  type OutputFormat,
} from 'mediabunny';
import sharp from 'sharp';
import { MediaFault } from '../media-fault.ts';
import { checkEnd } from './check-end.ts';
import { loadCodecs } from './codecs.ts';
import { probeFile } from './probe-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'check-end-'));
after(() => rm(folder, { recursive: true }));
const path = join(folder, 'file');

const pixels = Buffer.alloc(90 * 60 * 3);
for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7919 + (at >> 3) * 104_729) & 255;
const picture = sharp(pixels, { raw: { width: 90, height: 60, channels: 3 } });

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

function element(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(content.length), 0);
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
}

function riff(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(4 + content.length, 4);
  head.write(kind, 8, 'latin1');
  return Buffer.concat([head, content]);
}

/** Three seconds of noise that is not the same for long, so that frames differ in length. */
async function sound(format: OutputFormat, codec: 'flac' | 'mp3'): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new AudioSampleSource({ codec, bitrate: 128_000 });
  output.addAudioTrack(source);
  await output.start();
  const [sampleRate, numberOfChannels] = [44_100, 2];
  const data = Float32Array.from({ length: 3 * sampleRate * numberOfChannels }, (_, at) =>
    at % 90_000 < 30_000 ? 0 : (((at * 7919) % 1009) / 1009 - 0.5) * Math.sin(at / 900),
  );
  using sample = new AudioSample({ data, format: 'f32', sampleRate, numberOfChannels, timestamp: 0 });
  await source.add(sample);
  await output.finalize();
  return Buffer.from(target.buffer!);
}

assert.ok(await loadCodecs());
const page = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(22), Buffer.from([2, 255, 10]), Buffer.alloc(265)]);
const files: Readonly<Record<string, Buffer>> = {
  png: await picture.png().toBuffer(),
  jpeg: await picture.clone().jpeg().withMetadata({ orientation: 6 }).toBuffer(),
  progressive: await picture.clone().jpeg({ progressive: true }).toBuffer(),
  gif: await picture.clone().gif().toBuffer(),
  webp: await picture.clone().webp().toBuffer(),
  avif: await picture.clone().avif({ effort: 0 }).toBuffer(),
  mp4: Buffer.concat([
    box('ftyp', Buffer.from('isom0000')),
    box('mdat', Buffer.alloc(999)),
    box('moov', Buffer.alloc(9)),
  ]),
  matroska: Buffer.concat([element('1a45dfa3', Buffer.alloc(20)), element('18538067', Buffer.alloc(500))]),
  wav: riff('WAVE', Buffer.alloc(400)),
  ogg: Buffer.concat([page, page]),
  flac: await sound(new FlacOutputFormat(), 'flac'),
  mp3: await sound(new Mp3OutputFormat(), 'mp3'),
};
const MEBIBYTE = 1024 * 1024;
const isRefused = (error: unknown) => error instanceof MediaFault && /at most \d+ more bytes/.test(error.message);

for (const [name, data] of Object.entries(files)) {
  test(`a ${name} file may be padded a little, and not hold something else after its end`, async () => {
    const much = Buffer.alloc(name.match(/jpeg|progressive/) ? 17 * MEBIBYTE : 2 * MEBIBYTE);
    await writeFile(path, data);
    await checkEnd(path);
    await writeFile(path, Buffer.concat([data, much.subarray(0, 60_000)]));
    await checkEnd(path);
    await writeFile(path, Buffer.concat([data, much]));
    await assert.rejects(checkEnd(path), isRefused);
    await writeFile(path, Buffer.concat([data, much.fill(0x37)]));
    await assert.rejects(checkEnd(path), isRefused);
  });
}

test('what looks like the beginning of a frame is no sound', async () => {
  for (const name of ['flac', 'mp3'] as const) {
    const alike = Buffer.alloc(2 * MEBIBYTE, Buffer.from(name === 'flac' ? 'fff8c9a8000000' : 'fffb90640000', 'hex'));
    await writeFile(path, Buffer.concat([files[name]!, alike]));
    await assert.rejects(checkEnd(path), isRefused, name);
  }
});

test('a sound may begin with a tag and end with one', async () => {
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x02\0', 'latin1'), Buffer.alloc(256)]);
  const whole = Buffer.concat([tag, files.mp3!, Buffer.from('TAG'), Buffer.alloc(125)]);
  await writeFile(path, whole);
  await checkEnd(path);
  await writeFile(path, Buffer.concat([whole, Buffer.alloc(2 * MEBIBYTE)]));
  await assert.rejects(checkEnd(path), isRefused);
});

test('empty boxes of a film count as padding', async () => {
  await writeFile(path, Buffer.concat([files.mp4!, box('free', Buffer.alloc(2 * MEBIBYTE))]));
  await assert.rejects(checkEnd(path), isRefused);
});

test('a picture with something else after it is refused as a whole', async () => {
  await writeFile(path, Buffer.concat([files.png!, Buffer.alloc(MEBIBYTE)]));
  await assert.rejects(probeFile(path), isRefused);
});

test('searching the end of a file always terminates', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(files)),
      fc.nat(),
      fc.uint8Array({ maxLength: 40 }),
      async (data, at, bytes) => {
        const changed = Buffer.from(data);
        changed.set(bytes.subarray(0, Math.max(0, changed.length - (at % changed.length))), at % changed.length);
        await writeFile(path, changed);
        await checkEnd(path).catch((error: unknown) => assert.ok(error instanceof MediaFault, String(error)));
      },
    ),
    { numRuns: 200 },
  );
});
