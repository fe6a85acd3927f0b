import sharp from 'sharp';
import { pngChunk } from './solid-png.ts';

/** A complete picture with as many parts as fit. */
export interface PictureOfParts {
  readonly name: string;
  readonly contentType: string;
  /** Returns a picture of about the given number of bytes. */
  make(bytes: number): Promise<Buffer>;
}

const plain = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#653' } });

/** Pictures that consist almost entirely of one format's smallest part, for every part. */
export const PICTURES_OF_PARTS: readonly PictureOfParts[] = [
  ...(
    [
      ['comments', [0xff, 0xfe, 0, 2]],
      ['application segments', [0xff, 0xe1, 0, 2]],
      ['fill bytes', [0xff]],
    ] as const
  ).map(([name, part]) => jpeg(name, 2, part)),
  ...(
    [
      ['escaped bytes', [0xff, 0]],
      ['restarts', [0xff, 0xd0]],
      ['scans', [0xff, 0xda, 0, 2]],
    ] as const
  ).map(([name, part]) => jpeg(name, -2, part)),
  png('texts', 'tEXt'),
  png('Exif data', 'eXIf'),
  png('pixels', 'IDAT'),
  ...(
    [
      ['blocks of a comment', [0x21, 0xfe], [1, 0x20], [0]],
      ['comments', [], [0x21, 0xfe, 0], []],
      ['frames', [], [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0x4c, 0], []],
    ] as const
  ).map(([name, begin, part, end]) => gif(name, begin, part, end)),
  webp('unknown chunks', 'abcd'),
  webp('Exif data', 'EXIF'),
  {
    name: 'AVIF of empty boxes',
    contentType: 'image/avif',
    make: async (bytes) => Buffer.concat([await avif(), repeated(bytes, [0, 0, 0, 8, ...Buffer.from('uuid')])]),
  },
  {
    name: 'AVIF of empty properties',
    contentType: 'image/avif',
    make: async (bytes) =>
      withTables(await avif(), repeated(Math.min(bytes, LONGEST_TABLES), [0, 0, 0, 8, ...Buffer.from('free')])),
  },
  {
    name: 'AVIF of parts without bytes',
    contentType: 'image/avif',
    make: async (bytes) => withTables(await avif(), partsWithoutBytes(Math.min(bytes, LONGEST_TABLES))),
  },
];

/** Maximum bytes that a reader accepts as tables of a picture, less some room for the tables that it already has. */
const LONGEST_TABLES = 4 * 2 ** 20 - 4_096;

function jpeg(name: string, at: number, part: readonly number[]): PictureOfParts {
  return {
    name: `JPEG of ${name}`,
    contentType: 'image/jpeg',
    async make(bytes) {
      const data = await plain().jpeg().toBuffer();
      return Buffer.concat([data.subarray(0, at), repeated(bytes, part), data.subarray(at)]);
    },
  };
}

function png(name: string, type: string): PictureOfParts {
  return {
    name: `PNG of empty ${name}`,
    contentType: 'image/png',
    async make(bytes) {
      const data = await plain().png().toBuffer();
      const beforePixels = data.indexOf('IDAT') - 4;
      const parts = repeated(bytes, pngChunk(type, Buffer.alloc(0)));
      return Buffer.concat([data.subarray(0, beforePixels), parts, data.subarray(beforePixels)]);
    },
  };
}

function gif(name: string, begin: readonly number[], part: readonly number[], end: readonly number[]): PictureOfParts {
  return {
    name: `GIF of ${name}`,
    contentType: 'image/gif',
    async make(bytes) {
      const data = await plain().gif().toBuffer();
      const parts = [Buffer.from(begin), repeated(bytes, part), Buffer.from(end)];
      return Buffer.concat([data.subarray(0, -1), ...parts, data.subarray(-1)]);
    },
  };
}

function webp(name: string, type: string): PictureOfParts {
  return {
    name: `WebP of ${name}`,
    contentType: 'image/webp',
    async make(bytes) {
      const data = await plain().webp().toBuffer();
      const whole = Buffer.concat([data, repeated(bytes, [...Buffer.from(type), 0, 0, 0, 0])]);
      whole.writeUInt32LE(whole.length - 8, 4);
      return whole;
    },
  };
}

async function avif(): Promise<Buffer> {
  return await plain().avif({ effort: 0 }).toBuffer();
}

/** Puts a table before the others, whose positions in the file then shift. */
function withTables(data: Buffer, table: Buffer): Buffer {
  const meta = data.indexOf('meta') - 4;
  const whole = Buffer.concat([data.subarray(0, meta + 12), table, data.subarray(meta + 12)]);
  whole.writeUInt32BE(data.readUInt32BE(meta) + table.length, meta);
  return whole;
}

/** Returns a location table whose items have 65,535 parts each, none of which takes a byte. */
function partsWithoutBytes(bytes: number): Buffer {
  const items = Math.min(0xffff, Math.floor((bytes - 16) / 6));
  const table = Buffer.alloc(16 + items * 6);
  table.writeUInt32BE(table.length, 0);
  table.write('iloc', 4, 'latin1');
  table.writeUInt16BE(items, 14);
  for (let item = 0; item < items; item++) table.writeUInt16BE(0xffff, 16 + item * 6 + 4);
  return table;
}

function repeated(bytes: number, part: readonly number[] | Buffer): Buffer {
  return Buffer.alloc(bytes - (bytes % part.length), Buffer.from(part));
}
