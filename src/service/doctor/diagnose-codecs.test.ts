import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { diagnoseCodecs } from './diagnose-codecs.ts';

const SERVICE = 'node_modules/@darkroom-service/darkroom';

/** A folder with packages as npm installs them. @returns the folder, and the URL of a file of the service in it */
async function install(t: TestContext, packages: readonly (readonly [folder: string, version: string])[]) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'darkroom-codecs-')));
  t.after(() => rm(folder, { recursive: true }));
  for (const [path, version] of [[SERVICE, '0.1.0'] as const, ...packages]) {
    const name = path.split('node_modules/').at(-1);
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, 'package.json'), JSON.stringify({ name, version, main: 'main.js' }));
    await writeFile(join(folder, path, 'main.js'), '');
  }
  return { folder, from: pathToFileURL(join(folder, SERVICE, 'main.js')).href };
}

test('the codecs of this checkout are found', async () => {
  assert.deepEqual(await diagnoseCodecs(), {
    status: 'ok',
    found: 'the codecs of the built-in engine are there',
    advice: null,
  });
});

test('a video library that is installed twice is found, with both folders and what to run', async (t) => {
  const own = `${SERVICE}/node_modules/mediabunny`;
  const { folder, from } = await install(t, [
    [own, '1.59.0'],
    ['node_modules/mediabunny', '1.60.2'],
    ['node_modules/@mediabunny/server', '1.59.0'],
  ]);
  const { status, found, advice } = await diagnoseCodecs(from);
  assert.equal(status, 'failed');
  assert.ok(found.includes(`Darkroom uses 1.59.0 in ${join(folder, own)}`), found);
  assert.ok(found.includes(`@mediabunny/server uses 1.60.2 in ${join(folder, 'node_modules/mediabunny')}`), found);
  assert.match(advice ?? '', /`npm install mediabunny@1\.59\.0`/);
});

test('one video library for the service and the codecs is no fault', async (t) => {
  const { from } = await install(t, [
    ['node_modules/mediabunny', '1.59.0'],
    ['node_modules/@mediabunny/server', '1.59.0'],
  ]);
  assert.equal((await diagnoseCodecs(from)).status, 'ok');
});

test('codecs that are missing are a warning that names their version', async (t) => {
  const { from } = await install(t, [['node_modules/mediabunny', '1.59.0']]);
  const { status, advice } = await diagnoseCodecs(from);
  assert.equal(status, 'warning');
  assert.match(advice ?? '', /npm install @mediabunny\/server@1\.59\.0/);
});
