import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');

/** Without what npm and the test runner set for this process. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|DARKROOM_|NODE_TEST_CONTEXT$|NODE_OPTIONS$)/.test(name)),
);

const ENGINE = `
import { engineContract } from '@darkroom-service/engines/conformance';
import { openFakeRecraft } from '@darkroom-service/engines/fakes';
import { createRecraftEngine } from '@darkroom-service/engines/adapters';

engineContract('Recraft', {
  blocking: true,
  openFake: openFakeRecraft,
  openEngine: (fake, { key, ...tools }) => createRecraftEngine({ ...tools, key, url: fake.url }),
  routes: [{ engine: 'recraft', model: 'recraftv4_1', parameters: { prompt: 'prompt' }, fixed: { n: 1 } }],
});
`;

const PAINTER = `
import { createPainterPool } from '@darkroom-service/illustrator';
import { createMediaTools } from '@darkroom-service/media';

const output = { format: 'png', width: 96, height: 64, durationSeconds: null, fps: null, audio: false, tiles: null };
const job = { path: 'fox.png', output, seed: 1, action: null, values: { prompt: 'a red fox' }, media: [], parent: null, testMark: false };
const pool = createPainterPool({ size: 1 });
await pool.paint(job, { signal: new AbortController().signal, onProgress: () => undefined });
await pool.close();
const media = createMediaTools();
const { width, height, contentType } = await media.probe('fox.png', { owner: 'me' });
await media.close();
console.log(JSON.stringify([width, height, contentType]));
`;

const STORER = `
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { openStorage, signUpload } from '@darkroom-service/files';

const storage = await openStorage({ url: null, directory: 'files' });
const fox = await readFile('fox.png');
const { sha256 } = await storage.put('pictures/fox.png', fox, { contentType: 'image/png', maxBytes: 1_000_000 });
const stored = await buffer(await storage.open('pictures/fox.png'));
const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
const { url } = await signUpload({ bucket: 'foxes', endpoint: null, region: 'eu-west-1', key: 'fox.png', sha256, credentials });
console.log(JSON.stringify([stored.equals(fox), new URL(url).host]));
`;

const KEEPER = `
import { openStore, prepare } from '@darkroom-service/store';

const initial = 'create table notes (id text not null, text text not null, constraint notes_pk primary key (id))';
const plan = { initial, steps: [{ version: 1, name: 'initial', statements: () => [] }], oldest: { version: 1, advice: '' }, added: [] };
const insert = prepare('note_insert', (builder, argument) =>
  builder.insertInto('notes').values({ id: argument('id'), text: argument('text') }),
);
const store = await openStore({ url: null, path: 'notes.db', plan });
await store.write('note', (trx) => trx.run(insert, { id: 'a', text: 'a fox' }));
const notes = await store.reports.all(store.read.builder.selectFrom('notes').selectAll());
await store.close();
console.log(JSON.stringify(notes));
`;

test('the packages work in an empty folder without Darkroom: an engine keeps its contract, the illustrator paints, a file is measured and stored, and a database keeps rows', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-packages-alone-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const packed = join(directory, 'packed');
  await run(process.execPath, [join(ROOT, 'packaging/pack-packages.ts'), packed], { env: environment });
  const tarballs = globSync('*.tgz', { cwd: packed }).map((name) => join(packed, name));
  assert.equal(tarballs.length, 6);
  const folder = join(directory, 'empty');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const options = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-timeout=30000', ...tarballs];
  await run('npm', options, { cwd: folder, env: environment, maxBuffer: 2 ** 24 });
  assert.deepEqual((await readdir(join(folder, 'node_modules', '@darkroom-service'))).sort(), [
    'contract',
    'engines',
    'files',
    'illustrator',
    'media',
    'store',
  ]);

  await writeFile(join(folder, 'engine.test.js'), ENGINE);
  const tested = await run(process.execPath, ['--test', 'engine.test.js'], { cwd: folder, env: environment });
  assert.match(tested.stdout, /\bfail 0\b/);
  assert.match(tested.stdout, /the contract of Recraft/);

  await writeFile(join(folder, 'paint.js'), PAINTER);
  const painted = await run(process.execPath, ['paint.js'], { cwd: folder, env: environment });
  assert.deepEqual(JSON.parse(painted.stdout), [96, 64, 'image/png']);
  assert.equal((await sharp(join(folder, 'fox.png')).metadata()).width, 96);

  await writeFile(join(folder, 'store.js'), STORER);
  const stored = await run(process.execPath, ['store.js'], { cwd: folder, env: environment });
  assert.deepEqual(JSON.parse(stored.stdout), [true, 'foxes.s3.eu-west-1.amazonaws.com']);

  await writeFile(join(folder, 'keep.js'), KEEPER);
  const kept = await run(process.execPath, ['keep.js'], { cwd: folder, env: environment });
  assert.deepEqual(JSON.parse(kept.stdout), [{ id: 'a', text: 'a fox' }]);
});
