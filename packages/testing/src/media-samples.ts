import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFilm } from '@darkroom-service/illustrator/painting';
import * as bunny from 'mediabunny';
import sharp from 'sharp';

const SIDES = { width: 48, height: 32 };

/** Makes small files of every format of pictures and films, as encoders write them, with their content types. */
export async function mediaSamples(): Promise<readonly (readonly [contentType: string, bytes: Buffer])[]> {
  const pixels = Buffer.from(Array.from({ length: SIDES.width * SIDES.height * 4 }, (_, index) => (index * 37) % 251));
  const clear = sharp(pixels, { raw: { ...SIDES, channels: 4 } });
  const picture = () => clear.clone().removeAlpha();
  const exif = { IFD0: { Software: 'a program' } };
  const [mp4, webm] = [await film('mp4'), await film('webm')];
  return [
    ['image/png', await picture().png().toBuffer()],
    ['image/png', await clear.clone().png().withExif(exif).withIccProfile('p3').toBuffer()],
    ['image/jpeg', await picture().jpeg().toBuffer()],
    ['image/jpeg', await picture().jpeg({ progressive: true }).withExif(exif).withIccProfile('p3').toBuffer()],
    ['image/webp', await picture().webp().toBuffer()],
    ['image/webp', await clear.clone().webp({ lossless: true }).toBuffer()],
    ['image/webp', await clear.clone().webp().withExif(exif).toBuffer()],
    ['image/avif', await picture().avif().toBuffer()],
    ['image/avif', await clear.clone().avif().withExif(exif).toBuffer()],
    ['video/mp4', mp4],
    ['video/mp4', await remux(mp4, new bunny.Mp4OutputFormat({ fastStart: 'fragmented' }))],
    ['video/quicktime', await remux(mp4, new bunny.MovOutputFormat({ fastStart: false }))],
    ['video/webm', webm],
    ['video/webm', await remux(webm, new bunny.WebMOutputFormat({ appendOnly: true }))],
    ['video/x-matroska', await remux(mp4, new bunny.MkvOutputFormat())],
  ];
}

/** Decodes a picture to its pixels, or reads the packets of a film with their times. */
export async function decoded(contentType: string, bytes: Buffer): Promise<unknown> {
  if (contentType.startsWith('image/')) return await sharp(bytes).raw().toBuffer();
  const input = new bunny.Input({ source: new bunny.BufferSource(bytes), formats: bunny.ALL_FORMATS });
  const packets: unknown[] = [];
  for (const track of await input.getTracks())
    for await (const { timestamp, data, type } of new bunny.EncodedPacketSink(track).packets())
      packets.push([timestamp, type, Buffer.from(data).toString('base64')]);
  assert.ok(packets.length > 0, contentType);
  return packets;
}

async function film(format: 'mp4' | 'webm'): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-film-'));
  const path = join(folder, 'film');
  const codec = format === 'mp4' ? 'avc' : 'vp9';
  const sound = new Float32Array(2 * 48_000).map((_, index) => Math.sin(index / 20) / 4);
  try {
    await writeFilm(
      { path, format, codec, ...SIDES, fps: 8, durationSeconds: 1, sound },
      (frame) => new Uint8Array(4 * SIDES.width * SIDES.height).map((_, index) => (index * frame) % 253),
      () => {},
    );
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Puts the pictures of a film into another container. */
async function remux(bytes: Buffer, format: bunny.OutputFormat): Promise<Buffer> {
  const input = new bunny.Input({ source: new bunny.BufferSource(bytes), formats: bunny.ALL_FORMATS });
  const output = new bunny.Output({ format, target: new bunny.BufferTarget() });
  const track = await input.getPrimaryVideoTrack();
  assert.ok(track !== null && track.codec !== null);
  const source = new bunny.EncodedVideoPacketSource(track.codec);
  output.addVideoTrack(source);
  output.setMetadataTags({ comment: 'made elsewhere' });
  await output.start();
  const config = (await track.getDecoderConfig()) ?? undefined;
  for await (const packet of new bunny.EncodedPacketSink(track).packets())
    await source.add(packet, config === undefined ? undefined : { decoderConfig: config });
  await output.finalize();
  return Buffer.from(output.target.buffer as ArrayBuffer);
}
