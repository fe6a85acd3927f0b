import { createWriteStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { LocalFault } from './local-fault.ts';

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
  /** Type and permissions of Unix; 0 = not given. */
  readonly mode: number;
}

const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const MOST_BYTES = 8e9;
const LONGEST_DIRECTORY = 16_000_000;
const LONGEST_LINK = 255;
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
  if (at === -1 || tail.length < at + END_BYTES) throw new LocalFault('expected a ZIP archive');
  const [count, bytes, start] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (bytes > LONGEST_DIRECTORY || start + bytes > size) throw damaged();
  const directory = await readAt(file, start, bytes);
  const entries: Entry[] = [];
  let place = 0;
  for (let index = 0; index < count; index++) {
    if (place + 46 > directory.length || directory.readUInt32LE(place) !== CENTRAL) throw damaged();
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

function damaged(): LocalFault {
  return new LocalFault('the directory of the ZIP archive is damaged');
}

async function unpack(file: FileHandle, entry: Entry, directory: string): Promise<void> {
  const { name, mode } = entry;
  const parts = name.replaceAll('\\', '/').split('/');
  if (parts.includes('..') || name.startsWith('/') || /[:\0]/.test(name))
    throw new LocalFault(`the archive has a file outside of its directory: ${name}`);
  const folders = parts.filter((part) => part !== '' && part !== '.');
  const last = name.endsWith('/') ? undefined : folders.pop();
  const parent = await makeFolders(directory, folders, name);
  if (last === undefined) return;
  const target = join(parent, last);
  if ((mode & FILE_TYPE) === LINK) return await symlink(await readLink(file, entry), target).catch(twice(name));
  await pour(file, entry, createWriteStream(target, { flags: 'wx', mode: 0o700 })).catch(twice(name));
}

/** Creates each folder individually, so that none of them can be a link: a file behind one would lie elsewhere. */
async function makeFolders(directory: string, folders: readonly string[], name: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  let path = directory;
  for (const folder of folders) {
    path = join(path, folder);
    const made = await mkdir(path, { mode: 0o700 }).catch((error: unknown) => error);
    if (made !== undefined && !(await lstat(path)).isDirectory())
      throw new LocalFault(`the archive has a file behind a link or a file: ${name}`);
  }
  return path;
}

/** Returns the target of a link. Libraries link to their full version, which lies beside them. */
async function readLink(file: FileHandle, entry: Entry): Promise<string> {
  const outside = `the archive has a link outside of its directory: ${entry.name}`;
  if (entry.bytes > LONGEST_LINK) throw new LocalFault(outside);
  const parts: Buffer[] = [];
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  await pour(file, entry, sink);
  const target = Buffer.concat(parts).toString();
  if (!/^[\w.+-]+$/.test(target) || /^\.\.?$/.test(target)) throw new LocalFault(outside);
  return target;
}

/** Converts the error of an existing file. Nothing is overwritten: the existing file may be a link. */
function twice(name: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw error.code === 'EEXIST' ? new LocalFault(`the archive has ${name} twice`) : error;
  };
}

/** Writes the content, and no more bytes than the archive's directory says. */
async function pour(file: FileHandle, entry: Entry, sink: Writable): Promise<void> {
  const { name, offset, packedBytes, method } = entry;
  const header = await readAt(file, offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL)
    throw new LocalFault(`the ZIP archive is damaged at ${name}`);
  if (method !== STORED && method !== DEFLATED)
    throw new LocalFault(`the ZIP archive packs ${name} in an unknown way (${method})`);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed =
    packedBytes === 0
      ? Readable.from([])
      : file.createReadStream({ start, end: start + packedBytes - 1, autoClose: false });
  const unpacked = method === STORED ? new PassThrough() : createInflateRaw();
  await pipeline(packed, unpacked, atMost(entry), sink);
}

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
