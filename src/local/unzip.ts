import { createWriteStream } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { LocalFault } from './local-fault.ts';

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
  /** Type and permissions of Unix; 0 = not told. */
  readonly mode: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const MOST_BYTES = 8e9;
const STORED = 0;
const DEFLATED = 8;
const FILE_TYPE = 0o170000;
const LINK = 0o120000;

/** Unpacks a ZIP archive whose digest was checked. @throws LocalFault if it cannot be unpacked safely */
export async function unzip(path: string, directory: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const entries = await readEntries(file, (await file.stat()).size);
    const sum = entries.reduce((bytes, entry) => bytes + entry.bytes, 0);
    if (sum > MOST_BYTES) throw new LocalFault(`the archive holds ${sum} bytes, expected at most ${MOST_BYTES}`);
    for (const entry of entries) await unpack(file, entry, directory);
  } finally {
    await file.close();
  }
}

async function readEntries(file: FileHandle, size: number): Promise<Entry[]> {
  const length = Math.min(size, END_BYTES + LONGEST_COMMENT);
  const tail = await readAt(file, size - length, length);
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (at === -1 || tail.readUInt32LE(at) !== END) throw new LocalFault('expected a ZIP archive');
  const [count, bytes, start] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  const directory = await readAt(file, start, bytes);
  const entries: Entry[] = [];
  let place = 0;
  for (let index = 0; index < count; index++) {
    if (directory.readUInt32LE(place) !== CENTRAL) throw new LocalFault('the directory of the ZIP archive is damaged');
    const field = (offset: number) => directory.readUInt16LE(place + offset);
    const word = (offset: number) => directory.readUInt32LE(place + offset);
    const nameEnd = place + 46 + field(28);
    entries.push({
      name: directory.toString('utf8', place + 46, nameEnd),
      method: field(10),
      packedBytes: word(20),
      bytes: word(24),
      offset: word(42),
      mode: word(38) >>> 16,
    });
    place = nameEnd + field(30) + field(32);
  }
  return entries;
}

async function unpack(file: FileHandle, entry: Entry, directory: string): Promise<void> {
  const { name, mode } = entry;
  const parts = name.replaceAll('\\', '/').split('/');
  if (parts.includes('..') || name.startsWith('/') || name.includes(':'))
    throw new LocalFault(`the archive has a file outside of its directory: ${name}`);
  const target = join(directory, ...parts);
  if (name.endsWith('/')) return void (await mkdir(target, { recursive: true, mode: 0o700 }));
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  if ((mode & FILE_TYPE) === LINK) {
    const link = (await contentOf(file, entry).then((content) => Readable.from(content).toArray())).join('');
    // Libraries link to their full version beside them.
    if (!/^[\w.+-]+$/.test(link)) throw new LocalFault(`the archive has a link outside of its directory: ${name}`);
    return await symlink(link, target);
  }
  await pipeline(await contentOf(file, entry), atMost(entry), createWriteStream(target, { mode: 0o600 }));
  await chmod(target, 0o700);
}

async function contentOf(file: FileHandle, { name, offset, packedBytes, method }: Entry): Promise<Readable> {
  const header = await readAt(file, offset, 30);
  if (header.readUInt32LE(0) !== LOCAL) throw new LocalFault(`the ZIP archive is damaged at ${name}`);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed =
    packedBytes === 0
      ? Readable.from([])
      : file.createReadStream({ start, end: start + packedBytes - 1, autoClose: false });
  if (method === STORED) return packed;
  if (method === DEFLATED) return packed.pipe(createInflateRaw());
  throw new LocalFault(`the ZIP archive packs ${name} in an unknown way (${method})`);
}

/** Passes on no more bytes than the archive's directory tells. */
function atMost({ name, bytes }: Entry): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      done(left < 0 ? new LocalFault(`${name} is larger than the archive tells`) : null, chunk);
    },
  });
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
