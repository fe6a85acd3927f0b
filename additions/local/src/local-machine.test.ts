import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { chooseBuild } from './choose-build.ts';
import { describeExpectedTime } from './expected-seconds.ts';
import { installBuild } from './install-build.ts';
import { loadManifests } from './manifest.ts';
import { createRestarts } from './servers/restarts.ts';
import { ServerOutput } from './servers/server-output.ts';
import { openStore } from './store.ts';
import { unzip } from './unzip.ts';
import { wantedBuild } from './wanted-file.ts';

interface Packed {
  readonly name: string;
  readonly content: string;
  readonly mode?: number;
  /** The length that the directory tells. */
  readonly told?: number;
}

/** A ZIP archive as tools of Unix write it. */
function zipOf(files: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100755, told } of files) {
    const packed = deflateRawSync(content);
    const title = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(told ?? Buffer.byteLength(content), 24);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE((mode << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, title, packed);
    entries.push(entry, title);
    offset += local.length + title.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-unzip-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a build is unpacked once, with its links, and its server can be run', async (t) => {
  const store = openStore(await newFolder(t));
  const archive = zipOf([
    { name: 'build/bin/sd-server', content: '#!/bin/sh\n' },
    { name: 'build/bin/libsd.so.1', content: 'x'.repeat(100_000) },
    { name: 'build/bin/libsd.so', content: 'libsd.so.1', mode: 0o120777 },
  ]);
  const sha256 = 'a'.repeat(64);
  const part = join(store.directory, 'part');
  await writeFile(part, archive);
  await store.keepBlob(part, sha256);
  const [program, again] = await Promise.all([installBuild(store, [sha256]), installBuild(store, [sha256])]);
  assert.equal(program, again);
  assert.equal((await stat(program)).mode & 0o777, 0o700);
  assert.equal((await readFile(join(program, '..', 'libsd.so'), 'utf8')).length, 100_000);
  assert.deepEqual(await readdir(join(store.directory, 'engines')), [sha256]);
});

test('a build of two archives has both beside its program, or does not exist', async (t) => {
  const store = openStore(await newFolder(t));
  const [program, libraries, damaged] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
  const keep = async (sha256: string, archive: Buffer) => {
    const part = join(store.directory, 'part');
    await writeFile(part, archive);
    await store.keepBlob(part, sha256);
  };
  await keep(program, zipOf([{ name: 'build/bin/sd-server', content: '#!/bin/sh\n' }]));
  await keep(libraries, zipOf([{ name: 'cudart64_12.dll', content: 'x' }]));
  await keep(damaged, zipOf([{ name: '../outside', content: 'x' }]));
  await assert.rejects(installBuild(store, [program, damaged]), /outside of its directory/);
  assert.deepEqual(await readdir(join(store.directory, 'engines')), []);
  const path = await installBuild(store, [program, libraries]);
  assert.deepEqual((await readdir(join(path, '..'))).sort(), ['cudart64_12.dll', 'sd-server']);
  assert.notEqual(await installBuild(store, [program]), path);
});

test('an archive that would write outside of its directory, or more than it tells, is refused', async (t) => {
  const folder = await newFolder(t);
  const refused: [Packed, RegExp][] = [
    [{ name: '../outside', content: 'x' }, /outside of its directory/],
    [{ name: '/etc/outside', content: 'x' }, /outside of its directory/],
    [{ name: 'C:\\outside', content: 'x' }, /outside of its directory/],
    [{ name: 'link', content: '../outside', mode: 0o120777 }, /link outside/],
    [{ name: 'bomb', content: 'x'.repeat(1000), told: 10 }, /larger than the archive tells/],
  ];
  for (const [file, reason] of refused) {
    const path = join(folder, 'one.zip');
    await writeFile(path, zipOf([file]));
    await assert.rejects(unzip(path, join(folder, 'unpacked')), reason);
  }
  await writeFile(join(folder, 'none.zip'), 'no archive');
  await assert.rejects(unzip(join(folder, 'none.zip'), folder), /expected a ZIP archive/);
});

const link = (name: string, content: string, told?: number): Packed => ({
  name,
  content,
  mode: 0o120777,
  ...(told === undefined ? {} : { told }),
});
const HOSTILE: readonly (readonly [string, readonly Packed[], RegExp])[] = [
  ['a link to its parent', [link('up', '..')], /link outside/],
  ['a link to its own folder', [link('here', '.')], /link outside/],
  ['a link with a path', [link('in', 'bin/sd-server')], /link outside/],
  ['a link with a long target', [link('long', 'a'.repeat(256))], /link outside/],
  ['a link that tells less than it is', [link('bomb', 'a'.repeat(400_000_000), 10)], /larger than the archive tells/],
  [
    'a file behind a link',
    [link('a', 'b'), { name: 'b/', content: '' }, { name: 'a/x', content: 'x' }],
    /behind a link/,
  ],
  ['a file over a link', [link('a', 'b'), { name: 'a', content: 'x' }], /has a twice/],
  [
    'a file twice',
    [
      { name: 'a', content: 'x' },
      { name: './a', content: 'y' },
    ],
    /has \.\/a twice/,
  ],
];

test('no archive leaves its directory through a link, writes over a file, or needs more memory than it has', async (t) => {
  const folder = await newFolder(t);
  for (const [what, files, reason] of HOSTILE) {
    const parent = join(folder, what);
    await mkdir(parent);
    await writeFile(join(parent, 'one.zip'), zipOf(files));
    const before = process.memoryUsage().rss;
    await assert.rejects(unzip(join(parent, 'one.zip'), join(parent, 'unpacked')), reason, what);
    assert.ok(process.memoryUsage().rss - before < 100_000_000, `${what} takes memory`);
    const found = await readdir(parent);
    assert.deepEqual(
      found.filter((name) => name !== 'unpacked'),
      ['one.zip'],
      what,
    );
  }
});

test('an archive whose directory is longer than the file is refused before it is read', async (t) => {
  const path = join(await newFolder(t), 'one.zip');
  const archive = zipOf([{ name: 'a', content: 'x' }]);
  archive.writeUInt32LE(0xfffffff0, archive.length - 10);
  await writeFile(path, archive);
  await assert.rejects(unzip(path, `${path}.d`), /directory of the ZIP archive is damaged/);
  await writeFile(path, archive.subarray(0, -4));
  await assert.rejects(unzip(path, `${path}.d`), /expected a ZIP archive/);
});

test('a build whose second archive lies behind a link of the first one is not installed', async (t) => {
  const store = openStore(await newFolder(t));
  const digests = ['a', 'b'].map((letter) => letter.repeat(64));
  const archives = [
    zipOf([{ name: 'sd-server', content: 'x' }, { name: 'bin/', content: '' }, link('lib', 'bin')]),
    zipOf([{ name: 'lib/escaped', content: 'x' }]),
  ];
  for (const [index, archive] of archives.entries()) {
    const part = join(store.directory, 'part');
    await writeFile(part, archive);
    await store.keepBlob(part, digests[index]!);
  }
  await assert.rejects(installBuild(store, digests), /behind a link/);
  assert.deepEqual(await readdir(join(store.directory, 'engines')), []);
});

test('the build is chosen by what the machine has, and the expected time says how it is known', async () => {
  const manifests = await loadManifests([join(import.meta.dirname, '..', '..', '..', 'catalog', 'local')]);
  const manifest = manifests.models.get('z-image-turbo')!;
  const choose = (suitable: string[], variant: string | null = null) =>
    chooseBuild(manifests, manifest, 'linux-x64', variant, suitable)?.variant;
  assert.deepEqual([choose(['cuda', 'vulkan', 'cpu']), choose(['cpu']), choose([])], ['vulkan', 'cpu', 'vulkan']);
  assert.deepEqual([choose(['cpu'], 'vulkan'), choose(['cpu'], 'none')], ['vulkan', undefined]);
  const on = (platform: string, suitable: string[]) => chooseBuild(manifests, manifest, platform, null, suitable);
  assert.equal(on('linux-x64', ['rocm', 'cpu'])?.variant, 'rocm');
  assert.equal(on('darwin-arm64', ['metal', 'cpu'])?.variant, 'metal');
  assert.deepEqual(
    wantedBuild(on('win32-x64', ['cuda', 'vulkan', 'cpu'])!).map(({ source }) => 'asset' in source && source.asset),
    ['sd-master-0a565f2-bin-win-cuda12-x64.zip', 'cudart-sd-bin-win-cu12-x64.zip'],
  );
  assert.match(describeExpectedTime(manifest, 'vulkan', 8), /5 to 9 s on GeForce RTX 4090 \(reports/);
  assert.match(describeExpectedTime(manifest, 'cpu', 8), /42 minutes to 3 hours on the 8 cores.*not measured/);
  assert.match(describeExpectedTime(manifest, 'rocm', 8), /not known/);
});

test('the output of a server stays bounded, whatever it writes, and its reason names no folder', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 3000, unit: fc.constantFrom('a', '/', '\n', '\r', '|') })),
      (chunks) => {
        const output = new ServerOutput();
        for (const chunk of chunks) output.add(chunk, 'stdout');
        assert.ok(output.tail(1000).length <= 200 && output.tail(1000).every((line) => line.length <= 400));
        assert.ok((output.reason() ?? '').length <= 300);
      },
    ),
  );
  const output = new ServerOutput();
  const steps: number[] = [];
  output.onStep = ({ done, total }) => steps.push(done / total);
  output.add('\r  |=====>    | 1/4 - 2.5s/it\r  |=====>    | 2/4 - 2.5s/it', 'stdout');
  output.add('error: cannot open /srv/secret/folder/model.gguf\n', 'stderr');
  output.add('\r  |==========| 1095/1095 - 1.2GB/s\n', 'stdout');
  assert.equal(output.reason(), 'error: cannot open model.gguf');
  assert.deepEqual([...new Set(steps)], [0.25, 0.5]);
});

test('what a real sd-server writes in passing is no reason for its end', () => {
  const output = new ServerOutput();
  output.add('[INFO ] stable-diffusion.cpp:5679 - generating image: 1/1 - seed 67774233\n', 'stdout');
  output.add('  |===>      | 2/6 - 1.90s/it', 'stdout');
  assert.equal(output.reason(), null);
  output.add('\n[ERROR] main.cpp:148 - failed to load the model\n', 'stdout');
  assert.equal(output.reason(), '[ERROR] main.cpp:148 - failed to load the model');
});

test('pauses before a restart double, and a server that never loads is unavailable for a while', () => {
  let now = 0;
  const restarts = createRestarts(1000, () => now);
  const pauses: number[] = [];
  for (let failure = 1; failure <= 3; failure++) {
    restarts.failed('out of memory', false);
    pauses.push(restarts.pauseMs());
    now += restarts.isUnavailable() ? 0 : restarts.pauseMs();
  }
  assert.deepEqual([pauses, restarts.isUnavailable(), restarts.reason], [[1000, 2000, 300_000], true, 'out of memory']);
  now += 300_000;
  assert.deepEqual([restarts.isUnavailable(), restarts.pauseMs()], [false, 0]);
  restarts.succeeded();
  assert.equal(restarts.reason, null);
});
