import { crc32, deflateSync } from 'node:zlib';

const SIDE = 768;

/** A PNG of 768 × 768 pixels with a soft gradient: large enough for every upstream, and small in bytes. */
export function samplePicture(): { readonly bytes: Buffer; readonly side: number } {
  const row = 1 + SIDE * 3;
  const raw = Buffer.alloc(row * SIDE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      raw.set([120 + (x * 100) / SIDE, 140 + (y * 90) / SIDE, 190].map(Math.floor), y * row + 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  // 8 bits, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { bytes, side: SIDE };
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
