import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import {
  COMMIT,
  type HubFault,
  type HubFile,
  type ModelHub,
  sha256Of,
  startModelHub,
} from '../../test/fakes/model-hub.ts';
import { installation, runDarkroom, startDarkroom } from '../../test/helpers/run-darkroom.ts';

const REPOSITORY = 'maker/tiny-GGUF';
const SIZE = 3_000_000;

interface Bench {
  readonly hub: ModelHub;
  readonly weights: HubFile;
  readonly local: string;
  readonly start: (...words: string[]) => ReturnType<typeof startDarkroom>;
  /** The same bench with other variables. */
  readonly with: (changes: Readonly<Record<string, string>>) => Pick<Bench, 'start' | 'run'>;
  readonly run: (...words: string[]) => ReturnType<typeof startDarkroom>['ended'];
  readonly describe: (changes?: object, file?: object) => Promise<void>;
  readonly stored: () => Promise<string[]>;
}

async function openBench(t: TestContext, bytes = SIZE): Promise<Bench> {
  const { directory, data } = await installation(t);
  const weights = { repository: REPOSITORY, path: 'tiny-Q4.gguf', bytes: randomBytes(bytes) };
  const build = { repository: 'maker/engine', path: 'v1/engine.zip', bytes: randomBytes(50_000) };
  const notes = { repository: REPOSITORY, path: 'notes.gguf', bytes: randomBytes(99) };
  const hub = await startModelHub(t, [weights, notes, build]);
  const manifests = join(directory, 'models', 'local');
  await mkdir(manifests, { recursive: true });
  const variables = {
    DARKROOM_DATA_DIR: data,
    DARKROOM_CATALOG_DIR: 'models',
    DARKROOM_LOCAL_HUB_URL: hub.url,
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8,::1/128',
    DARKROOM_LOCAL_RELEASES_URL: hub.url,
  };
  const local = join(data, 'local');
  const commands = (changes: Readonly<Record<string, string>>): Pick<Bench, 'start' | 'run'> => {
    const changed = { ...variables, ...changes };
    return {
      start: (...words) => startDarkroom(words, changed, directory),
      run: (...words) => runDarkroom(words, changed, directory),
    };
  };
  const bench: Bench = {
    hub,
    weights,
    local,
    with: commands,
    ...commands({}),
    async describe(changes = {}, file = {}) {
      const known = { role: 'model', repository: REPOSITORY, revision: COMMIT, path: weights.path, about_bytes: null };
      const whole = { ...known, bytes: weights.bytes.length, sha256: sha256Of(weights.bytes), ...file };
      const licence = { id: 'Apache-2.0', acceptance: false };
      const manifest = {
        kind: 'model',
        name: 'tiny',
        title: 'Tiny',
        type: 'image',
        engine: 'stable-diffusion.cpp',
        licence,
        memory_bytes: null,
        parameters: { steps: 1 },
        files: [whole],
        ...changes,
      };
      await writeFile(join(manifests, 'tiny.json'), JSON.stringify(manifest));
    },
    stored: async () => await readdir(join(local, 'blobs')).catch(() => []),
  };
  const builds = [
    {
      platform: `${process.platform}-${process.arch}`,
      variant: 'cpu',
      repository: build.repository,
      tag: 'v1',
      asset: 'engine.zip',
      bytes: null,
      sha256: sha256Of(build.bytes),
    },
  ];
  const engine = { kind: 'engine', name: 'toy', licence: { id: 'MIT', acceptance: false }, builds };
  await writeFile(join(manifests, 'toy.json'), JSON.stringify(engine));
  await bench.describe();
  return bench;
}

const PULL = ['pull', 'tiny', '--build', 'none'];

async function assertWhole({ local, weights, stored }: Bench, bytes = weights.bytes): Promise<void> {
  const name = `sha256-${sha256Of(bytes)}`;
  assert.deepEqual(await stored(), [name]);
  assert.ok((await readFile(join(local, 'blobs', name))).equals(bytes));
  assert.deepEqual(await readdir(join(local, 'parts')), []);
}

test('a model is pulled in parallel ranges over a redirect, listed, shown and removed', async (t) => {
  const bench = await openBench(t);
  const pulled = await bench.run(...PULL);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(pulled.stdout, /tiny is stored and checked: 1 files, 3\.00 MB\. Order it as local-tiny/);
  assert.ok(bench.hub.ranges.length > 5);
  await assertWhole(bench);
  assert.match((await bench.run('local', 'list')).stdout, /^tiny +image +yes +3\.00 MB/m);
  const shown = JSON.parse((await bench.run('local', 'show', 'tiny', '--json')).stdout);
  assert.deepEqual([shown.files[0].digest_from, (await stat(shown.files[0].path)).size], ['manifest', SIZE]);
  const again = bench.hub.sent();
  assert.equal((await bench.run(...PULL)).code, 0);
  assert.equal(bench.hub.sent(), again);
  assert.equal(JSON.parse((await bench.run('local', 'rm', 'tiny', '--json')).stdout).bytes > SIZE / 2, true);
  assert.deepEqual(await bench.stored(), []);
  assert.equal((await bench.run('local', 'rm', 'tiny')).code, 1);
});

for (const fault of ['cut', 'too many', 'unavailable', 'expired', 'other part', 'drop'] satisfies HubFault[]) {
  test(`a download goes on after: ${fault}`, async (t) => {
    const bench = await openBench(t);
    bench.hub.faults.push(fault, fault, fault);
    bench.hub.hubFaults.push('too many', 'unavailable');
    const { code, stderr } = await bench.run(...PULL);
    assert.equal(code, 0, stderr);
    assert.deepEqual(bench.hub.faults, []);
    await assertWhole(bench);
  });
}

test('addresses that expire after two requests are asked for again', async (t) => {
  const bench = await openBench(t);
  bench.hub.usesOfAddress = 2;
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 0, stderr);
  await assertWhole(bench);
});

test('new addresses that are refused for a while are asked for again', async (t) => {
  const bench = await openBench(t);
  bench.hub.faults.push(...Array.from({ length: 8 }, () => 'expired' as const));
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 0, stderr);
  await assertWhole(bench);
});

test('a file that needs an account is pulled with the token of the setting, which no other host sees', async (t) => {
  const bench = await openBench(t);
  bench.hub.token = 'hf_s3cret';
  const refused = await bench.run(...PULL);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /answered 401: the file needs an account: accept its terms .* DARKROOM_LOCAL_HUB_TOKEN/);
  const wrong = await bench.with({ DARKROOM_LOCAL_HUB_TOKEN: 'hf_0ther' }).run(...PULL);
  assert.match(wrong.stderr, /the account of DARKROOM_LOCAL_HUB_TOKEN may not read it/);
  const right = await bench.with({ DARKROOM_LOCAL_HUB_TOKEN: 'hf_s3cret' }).run(...PULL);
  assert.equal(right.code, 0, right.stderr);
  await assertWhole(bench);
  assert.deepEqual([...new Set(bench.hub.tokensAtContent)], ['none']);
  for (const { stdout, stderr } of [wrong, right]) assert.doesNotMatch(stdout + stderr, /hf_/);
});

test('a pull tells why it waits: a limit whose end only the RateLimit header names, a silent host, no host', async (t) => {
  const bench = await openBench(t);
  bench.hub.hubFaults.push('too many for 1 s', 'slow');
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /tiny-Q4\.gguf: 127\.0\.0\.1:\d+ answered 429; trying again in 1 s \(failure 1 of 8\)\./);
  assert.match(stderr, /127\.0\.0\.1:\d+ has not answered yet; still waiting\./);
  await bench.run('local', 'rm', 'tiny');
  const away = bench.with({ DARKROOM_LOCAL_HUB_URL: 'http://127.0.0.1:9' }).start(...PULL);
  let told = '';
  away.process.stderr?.on('data', (chunk) => {
    told += chunk;
  });
  await until(
    () => told,
    (text) => /could not connect to 127\.0\.0\.1; trying again in 1 s \(failure 2 of 8\)/.test(text),
  );
  away.process.kill('SIGINT');
  assert.equal((await away.ended).code, 130);
});

test('a host that sends whole files only is used too, also after it cut one off', async (t) => {
  const bench = await openBench(t);
  bench.hub.hasRanges = false;
  bench.hub.faults.push('cut');
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 0, stderr);
  await assertWhole(bench);
});

test('one wrong byte is found, the file deleted, and the next pull is whole', async (t) => {
  const bench = await openBench(t);
  bench.hub.faults.push('cut', 'wrong byte');
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 1);
  assert.match(stderr, /tiny-Q4\.gguf has the digest [0-9a-f]{64}, expected [0-9a-f]{64}\. The file was deleted/);
  assert.deepEqual([await bench.stored(), await readdir(join(bench.local, 'parts'))], [[], []]);
  assert.match((await bench.run('local', 'list')).stdout, /^tiny +image +no/m);
  assert.equal((await bench.run(...PULL)).code, 0);
  await assertWhole(bench);
});

test('a file that becomes shorter during the download (416) is begun anew by the next pull', async (t) => {
  const bench = await openBench(t);
  bench.hub.faults.push('short');
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 1);
  assert.match(stderr, /changed during the download/);
  assert.equal((await bench.run(...PULL)).code, 0);
  await assertWhole(bench);
});

test('a hub that contradicts the manifest is refused before anything is downloaded', async (t) => {
  const bench = await openBench(t);
  await bench.describe({}, { sha256: sha256Of(Buffer.from('other')) });
  assert.match((await bench.run(...PULL)).stderr, /expected the digest .* Nothing was downloaded/);
  await bench.describe({}, { bytes: SIZE + 1 });
  assert.match((await bench.run(...PULL)).stderr, /expected 3000001 bytes, the hub has 3000000/);
  assert.equal(bench.hub.sent(), 2);
});

test('kill -9 during a pull: the next one goes on, and the old model stays whole until the new one is', async (t) => {
  const bench = await openBench(t);
  assert.equal((await bench.run(...PULL)).code, 0);
  const old = bench.weights.bytes;
  bench.weights.bytes = randomBytes(SIZE);
  await bench.describe();
  bench.hub.pauseMs = 20;
  const before = bench.hub.sent();
  for (const share of [0.5, 0.6, 0.7]) {
    const { process: child, ended } = bench.start(...PULL);
    await until(bench.hub.sent, (sent) => sent - before > SIZE * share);
    child.kill('SIGKILL');
    await ended;
    const shown = JSON.parse((await bench.run('local', 'show', 'tiny', '--json')).stdout);
    assert.ok((await readFile(shown.files[0].path)).equals(old));
  }
  const asked = bench.hub.ranges.length;
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 0, stderr);
  await assertWhole(bench);
  // Half of the file had arrived at the first kill, and at most four of its twelve segments were in work.
  assert.ok(bench.hub.ranges.length - asked < 12);
});

test('a second pull is refused while one runs, and Ctrl-C keeps what arrived', async (t) => {
  const bench = await openBench(t);
  bench.hub.pauseMs = 500;
  const first = bench.start(...PULL);
  await until(bench.hub.sent, (sent) => sent > 500_000);
  const second = await bench.run(...PULL);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /Another darkroom command is changing/);
  first.process.kill('SIGINT');
  const { code, stderr } = await first.ended;
  assert.equal(code, 130);
  assert.match(stderr, /The downloaded part is kept/);
});

test('facts that the manifest lacks are shown as unverified, need agreement, and are locked', async (t) => {
  const bench = await openBench(t);
  const digest = sha256Of(bench.weights.bytes);
  const ends = `${digest.slice(0, 8)}…${digest.slice(-4)}`;
  await bench.describe({}, { revision: null, path: null, bytes: null, sha256: ends });
  const asked = await bench.run(...PULL);
  assert.deepEqual([asked.code, await bench.stored()], [2, []]);
  assert.match(asked.stderr, /tiny-Q4\.gguf .* revision, bytes, sha256\n/);
  assert.match(asked.stderr, /Add --yes/);
  const { code, stderr } = await bench.run(...PULL, '--yes');
  assert.equal(code, 0, stderr);
  const [locked] = Object.values(JSON.parse(await readFile(join(bench.local, 'lock.json'), 'utf8')));
  const facts = { path: 'tiny-Q4.gguf', revision: COMMIT, bytes: SIZE, sha256: digest, digest_from: 'hub' };
  assert.deepEqual(locked, facts);
  assert.equal((await bench.run('local', 'rm', 'tiny')).code, 0);
  assert.equal((await bench.run(...PULL)).code, 0);
  bench.weights.bytes = randomBytes(SIZE);
  await bench.run('local', 'rm', 'tiny');
  assert.match((await bench.run(...PULL)).stderr, /expected the digest .* Nothing was downloaded/);
});

test('without any digest the first download is locked', async (t) => {
  const bench = await openBench(t);
  bench.hub.tellsFacts = false;
  await bench.describe({}, { sha256: null });
  assert.equal((await bench.run(...PULL)).code, 2);
  assert.equal((await bench.run(...PULL, '--yes')).code, 0);
  const shown = JSON.parse((await bench.run('local', 'show', 'tiny', '--json')).stdout);
  assert.equal(shown.files[0].digest_from, 'nobody');
  await bench.run('local', 'rm', 'tiny');
  bench.weights.bytes = randomBytes(SIZE);
  const { code, stderr } = await bench.run(...PULL);
  assert.equal(code, 1);
  assert.match(stderr, /has the digest .* The file was deleted/);
});

test('a licence that must be accepted is asked for once, and the acceptance is recorded', async (t) => {
  const bench = await openBench(t);
  await bench.describe({ licence: { id: 'Community 1.0', acceptance: true } });
  const asked = await bench.run(...PULL, '--yes');
  assert.deepEqual([asked.code, bench.hub.sent()], [2, 0]);
  assert.match(asked.stderr, /Community 1\.0, then add --accept-licence/);
  assert.equal((await bench.run(...PULL, '--accept-licence')).code, 0);
  assert.equal((await bench.run(...PULL)).code, 0);
  const [kept, more] = JSON.parse(await readFile(join(bench.local, 'acceptances.json'), 'utf8'));
  assert.deepEqual([kept.model, kept.licence, more], ['tiny', 'Community 1.0', undefined]);
});

test('files are imported from a folder without the network, under any name; wrong ones are refused', async (t) => {
  const bench = await openBench(t);
  const folder = join(bench.local, '..', 'usb');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tiny-Q4.gguf'), randomBytes(SIZE));
  const wrong = await bench.run(...PULL, '--from', folder);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /lacks these files, or has them with other content:\n {2}tiny-Q4\.gguf/);
  await writeFile(join(folder, 'renamed.bin'), bench.weights.bytes);
  const { code, stderr } = await bench.run(...PULL, '--from', folder);
  assert.equal(code, 0, stderr);
  await assertWhole(bench);
  assert.equal(bench.hub.sent(), 0);
});

test("the engine's build for this platform is pulled with the model, and shared by another model", async (t) => {
  const bench = await openBench(t);
  await bench.describe({ engine: 'toy' });
  const { code, stderr } = await bench.run('pull', 'tiny', '--yes');
  assert.equal(code, 0, stderr);
  assert.match((await bench.run('local', 'show', 'tiny')).stdout, /Engine: toy \(.* cpu v1\)/);
  assert.equal((await bench.stored()).length, 2);
  const sent = bench.hub.sent();
  await bench.describe({ engine: 'toy', name: 'second' });
  assert.equal((await bench.run('pull', 'second')).code, 0);
  assert.equal(bench.hub.sent(), sent);
  assert.equal((await bench.run('local', 'rm', 'tiny')).code, 0);
  assert.equal((await bench.stored()).length, 2);
  assert.equal((await bench.run('local', 'rm', 'second')).code, 0);
  assert.deepEqual(await bench.stored(), []);
});

test('too little memory, an unknown build and an unknown name are refused before anything is asked of the hub', async (t) => {
  const bench = await openBench(t);
  await bench.describe({ memory_bytes: 9e12 });
  assert.match((await bench.run(...PULL)).stderr, /needs 9000000000000 bytes of memory, this machine has/);
  assert.equal((await bench.run(...PULL, '--force')).code, 0);
  assert.match((await bench.run('pull', 'tiny', '--build', 'steam')).stderr, /no build/);
  const { code, stderr } = await bench.run('pull', 'tony');
  assert.equal(code, 2);
  assert.match(stderr, /Did you mean tiny\?/);
  assert.match(
    (await bench.run('local', 'show', 'own/x')).stderr,
    /no own server "own\/x".* DARKROOM_LOCAL_SERVERS_FILE/,
  );
});
