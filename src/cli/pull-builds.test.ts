import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { COMMIT, type ListFault, sha256Of, startModelHub } from '../../test/fakes/model-hub.ts';
import { installation, runDarkroom, startDarkroom } from '../../test/helpers/run-darkroom.ts';

const PATTERN = 'sd-1-rocm-*.zip';
const PULL = ['pull', 'tiny', '--build', 'rocm'];

/** A hub whose release has the names, and a model whose build `rocm` has the assets of the manifest. */
async function openBench(t: TestContext, names: readonly string[], assets: readonly string[] = [PATTERN]) {
  const { directory, data } = await installation(t);
  const weights = { repository: 'maker/tiny', path: 'tiny.gguf', bytes: randomBytes(1000) };
  const archives = names.map((name) => ({
    repository: 'maker/engine',
    path: `v1/${name}`,
    bytes: randomBytes(400_000),
  }));
  const hub = await startModelHub(t, [weights, ...archives]);
  // GitHub tells them in its lists only.
  hub.tellsFacts = false;
  const manifests = join(directory, 'models', 'local');
  await mkdir(manifests, { recursive: true });
  const licence = { id: 'MIT', acceptance: false };
  const unknown = { bytes: null, sha256: null };
  const file = { role: 'model', repository: weights.repository, revision: COMMIT, path: weights.path };
  const model = {
    kind: 'model',
    name: 'tiny',
    title: 'Tiny',
    type: 'image',
    engine: 'toy',
    licence,
    memory_bytes: null,
    parameters: {},
    files: [{ ...file, about_bytes: null, bytes: 1000, sha256: sha256Of(weights.bytes) }],
  };
  await writeFile(join(manifests, 'tiny.json'), JSON.stringify(model));
  const [first, ...further] = assets.map((asset) => ({ asset, ...unknown }));
  const build = { platform: `${process.platform}-${process.arch}`, variant: 'rocm', repository: 'maker/engine' };
  const builds = [{ ...build, tag: 'v1', ...first, with: further }];
  await writeFile(join(manifests, 'toy.json'), JSON.stringify({ kind: 'engine', name: 'toy', licence, builds }));
  const variables = {
    DARKROOM_DATA_DIR: data,
    DARKROOM_CATALOG_DIR: 'models',
    DARKROOM_LOCAL_HUB_URL: hub.url,
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8,::1/128',
    DARKROOM_LOCAL_RELEASES_URL: hub.url,
  };
  const start = (...words: string[]) => startDarkroom(words, variables, directory);
  const run = async (...words: string[]) => await runDarkroom(words, variables, directory);
  const shown = async () => JSON.parse((await run('local', 'show', 'tiny', '--json')).stdout);
  const blobs = async (): Promise<string[]> => await readdir(join(data, 'local', 'blobs')).catch(() => []);
  return { hub, archives, local: join(data, 'local'), start, run, shown, blobs };
}

test("a build whose name is partly known is found in the release's list, agreed to once, and locked", async (t) => {
  const { hub, archives, run, shown } = await openBench(t, ['sd-1.zip', 'sd-1-rocm-7.13.0.zip', 'sd-1-vulkan.zip']);
  assert.match((await run('local', 'show', 'tiny')).stdout, /rocm +v1 +sd-1-rocm-\*\.zip +not known/);
  assert.match((await run('local', 'list')).stdout, /^tiny .* rocm/m);
  const asked = await run(...PULL);
  assert.deepEqual([asked.code, hub.sent() < 100], [2, true], 'nothing is downloaded without an agreement');
  hub.listFaults.push('too many', 'cut', 'limited');
  const pulled = await run(...PULL, '--yes');
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(pulled.stderr + pulled.stdout, /sd-1-rocm-7\.13\.0\.zip .* name, bytes, sha256/);
  assert.deepEqual(hub.listFaults, []);
  const engine = (await shown()).files.find(({ role }: { role: string }) => role === 'engine');
  assert.deepEqual(
    [engine.name, engine.sha256, engine.digest_from],
    ['sd-1-rocm-7.13.0.zip', sha256Of(archives[1]!.bytes), 'hub'],
  );
  assert.equal((await run('local', 'rm', 'tiny')).code, 0);
  const lists = hub.lists();
  archives[1]!.bytes = randomBytes(400_000);
  const changed = await run(...PULL);
  assert.deepEqual([changed.code, hub.lists()], [1, lists], 'the locked name needs no list');
  assert.match(changed.stderr, /sd-1-rocm-7\.13\.0\.zip has the digest .* The file was deleted/);
});

test('a list that has no such file, or several, or cannot be read, ends the pull with what it has', async (t) => {
  const none = await openBench(t, ['sd-1-vulkan.zip', 'sd-1-rocm-7.13.0.zip.txt']);
  const missing = await none.run(...PULL, '--yes');
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /Expected one file sd-1-rocm-\*\.zip in release v1 of maker\/engine, found none/);
  assert.match(missing.stderr, /The release has:\n {2}sd-1-vulkan\.zip\n {2}sd-1-rocm-7\.13\.0\.zip\.txt/);
  const { hub, run, blobs } = await openBench(t, ['sd-1-rocm-7.2.1.zip', 'sd-1-rocm-7.13.0.zip']);
  assert.match((await run(...PULL, '--yes')).stderr, /found several\./);
  const faults: [ListFault, RegExp][] = [
    ['refused until', /answered 403: too many requests\. It answers again at \d{4}-/],
    ['forbidden', /answered 403/],
    ['oversized', /The list of release v1 of maker\/engine is larger than expected/],
  ];
  for (const [fault, message] of faults) {
    hub.listFaults.push(fault);
    const failed = await run(...PULL, '--yes');
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, message);
  }
  assert.deepEqual(await blobs(), []);
});

test('a file of another digest than the list tells is deleted', async (t) => {
  const { hub, run, shown } = await openBench(t, ['sd-1-rocm-7.13.0.zip']);
  hub.listFaults.push('wrong digest');
  const failed = await run(...PULL, '--yes');
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /sd-1-rocm-7\.13\.0\.zip has the digest .* The file was deleted/);
  assert.equal((await shown()).pulled, false);
});

test('a pull that is killed between two archives of a build leaves the old model, and goes on', async (t) => {
  const bench = await openBench(t, ['sd-1-rocm-7.13.0.zip', 'cudart.zip'], [PATTERN, 'cudart.zip']);
  const { hub, archives, local, start, run, shown, blobs } = bench;
  assert.equal((await run('pull', 'tiny', '--build', 'none')).code, 0);
  const record = await readFile(join(local, 'models', 'tiny.json'), 'utf8');
  hub.pauseMs = 300;
  const { process: command, ended } = start(...PULL, '--yes');
  await until(blobs, (names) => names.includes(`sha256-${sha256Of(archives[0]!.bytes)}`));
  command.kill('SIGKILL');
  await ended;
  assert.equal((await blobs()).length, 2);
  assert.equal(await readFile(join(local, 'models', 'tiny.json'), 'utf8'), record);
  hub.pauseMs = 0;
  const sent = hub.sent();
  const again = await run(...PULL);
  assert.equal(again.code, 0, again.stderr);
  assert.ok(hub.sent() - sent <= 400_010, 'the first archive is not loaded again');
  const engine = (await shown()).files.filter(({ role }: { role: string }) => role === 'engine');
  assert.deepEqual(
    engine.map(({ sha256 }: { sha256: string }) => sha256),
    archives.map(({ bytes }) => sha256Of(bytes)),
  );
});
