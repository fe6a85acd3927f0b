import { createDeflate, deflateSync } from 'node:zlib';
import { pngChunk } from './solid-png.ts';

/** Small files that claim to be, or unpack to, far more than their size. */

/** Makes a grey PNG of one bit per pixel, compressed row by row so that making it takes no memory either. */
export async function pngBomb(side: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 1 });
  const packed: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => packed.push(chunk));
  const row = Buffer.alloc(Math.ceil(side / 8) + 1);
  const rows = Buffer.concat(Array.from({ length: 100 }, () => row));
  for (let done = 0; done < side; done += 100) {
    if (!deflate.write(rows)) await new Promise((resolve) => deflate.once('drain', resolve));
  }
  await new Promise<void>((resolve) => deflate.end(() => resolve()));
  return png(header(side, side, 1, 0), [pngChunk('IDAT', Buffer.concat(packed))]);
}

/** Makes a small picture whose text unpacks to a hundred megabytes. */
export function pngWithTextBomb(): Buffer {
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(100_000_000))]);
  return png(header(8, 8, 8, 0), [pngChunk('zTXt', text), pngChunk('IDAT', deflateSync(Buffer.alloc(9 * 8)))]);
}

/** Makes a small picture whose colour profile unpacks to a hundred megabytes. */
export function pngWithProfileBomb(): Buffer {
  const profile = Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(100_000_000))]);
  return png(header(8, 8, 8, 0), [pngChunk('iCCP', profile), pngChunk('IDAT', deflateSync(Buffer.alloc(9 * 8)))]);
}

/** Makes a PNG whose sides no memory could hold, without a single pixel. */
export function pngOfNothing(width: number, height: number, interlaced = 0): Buffer {
  return png(header(width, height, 16, 6, interlaced), [pngChunk('IDAT', deflateSync(Buffer.alloc(10)))]);
}

/** Makes a GIF of 65,535 by 65,535 with thousands of empty frames. */
export function gifBomb(frames = 2_000): Buffer {
  const screen = Buffer.from([...Buffer.from('GIF89a'), 0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x4c, 0x01, 0]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** Makes a WebP whose canvas has sixteen million pixels per side. */
export function webpBomb(): Buffer {
  const canvas = Buffer.from([0x02, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
  const pixels = Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0]);
  const body = Buffer.concat([Buffer.from('WEBP'), riff('VP8X', canvas), riff('VP8L', pixels)]);
  return riffFile(body);
}

/** Makes a lossless WebP with the largest sides that its header can hold. */
export function webpOfNothing(): Buffer {
  const pixels = Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0]);
  return riffFile(Buffer.concat([Buffer.from('WEBP'), riff('VP8L', pixels)]));
}

/** Makes an MP4 whose boxes are nested ten thousand deep. */
export function mp4OfBoxes(depth = 10_000): Buffer {
  const boxes: Buffer[] = [Buffer.from([0, 0, 0, 16, ...Buffer.from('ftypisom'), 0, 0, 0, 0])];
  for (let level = depth; level > 0; level--) {
    const box = Buffer.from([0, 0, 0, 0, ...Buffer.from('moov')]);
    box.writeUInt32BE(level * 8, 0);
    boxes.push(box);
  }
  return Buffer.concat(boxes);
}

/** Makes a valid interlaced PNG of one colour with 16 bits per channel: half a megabyte that is decoded as a whole. */
export function interlacedPng(side: number): Buffer {
  const rows: Buffer[] = [];
  for (const [x, y, stepX, stepY] of ADAM7) {
    const row = Buffer.alloc(1 + Math.ceil((side - x) / stepX) * 8);
    for (let at = y; at < side; at += stepY) rows.push(row);
  }
  const head = header(side, side, 16, 6, 1);
  return png(head, [pngChunk('IDAT', deflateSync(Buffer.concat(rows), { level: 1 }))]);
}

/** Makes the header of an AVIF of 8192 by 8192, without a picture behind it. */
export function avifOfNothing(): Buffer {
  return Buffer.concat([Buffer.from(AVIF_HEADER, 'base64'), Buffer.alloc(837, 0x12)]);
}

const AVIF_HEADER =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAA0UAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgR8MAAAAABRpc3BlAAAAAAAAIAAAACAAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAANNbWRhdA==';

/** Passes of an interlaced PNG: x and y at which each begins, and its steps in x and y. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Makes an MP4 with the given number of empty tracks. */
export function mp4OfTracks(tracks: number): Buffer {
  const track = box('trak', box('mdia', box('minf', box('stbl'))));
  return mp4(box('moov', ...Array.from({ length: tracks }, () => track)));
}

/** Makes an MP4 whose only track has a table of times that fills the given number of bytes. */
export function mp4OfTimes(bytes: number): Buffer {
  const entries = Math.floor(bytes / 8);
  const table = Buffer.alloc(8 + entries * 8, 1);
  table.writeUInt32BE(entries, 4);
  return mp4(box('moov', box('trak', box('mdia', box('minf', box('stbl', box('stts', table)))))));
}

/** Makes an MP4 whose only track claims the given number of samples, each with a time of its own, in a few bytes. */
export function mp4OfSamples(samples: number): Buffer {
  const table = Buffer.alloc(16);
  table.writeUInt32BE(1, 4);
  table.writeUInt32BE(samples, 8);
  const tables = [box('stts', table), box('ctts', table)];
  return mp4(box('moov', box('trak', box('mdia', box('minf', box('stbl', ...tables))))));
}

/** Makes an MP4 whose only fragment claims the given number of samples, without a byte for any. */
export function mp4OfFragment(samples: number): Buffer {
  const run = Buffer.alloc(8);
  run.writeUInt32BE(samples, 4);
  return mp4(box('moov'), box('moof', box('traf', box('trun', run))));
}

/** Makes an MP4 with the given number of boxes, one after the other. */
export function mp4OfFreeBoxes(boxes: number): Buffer {
  return Buffer.concat([mp4(), Buffer.alloc(boxes * 8, box('free'))]);
}

/** Makes a Matroska file with the given number of tracks. */
export function matroskaOfTracks(tracks: number): Buffer {
  const entries = Buffer.concat(Array.from({ length: tracks }, () => Buffer.from([0xae, 0x80])));
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(2n ** 56n + BigInt(entries.length));
  const start = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x01, ...Array(7).fill(0xff)]);
  return Buffer.concat([start, Buffer.from([0x16, 0x54, 0xae, 0x6b, 0x01]), length.subarray(1), entries]);
}

function mp4(...boxes: readonly Buffer[]): Buffer {
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), ...boxes]);
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

function png(head: Buffer, chunks: readonly Buffer[]): Buffer {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, head, ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

function header(width: number, height: number, bits: number, colour: number, interlaced = 0): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = bits;
  data[9] = colour;
  data[12] = interlaced;
  return pngChunk('IHDR', data);
}

function riff(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), size, data]);
}

function riffFile(body: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), size, body]);
}
