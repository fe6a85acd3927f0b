import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the first orders of the README work word for word', { timeout: 60_000 }, async (t) => {
  const blocks = bashBlocks(README);
  assert.equal(blocks[0], 'npm ci && npm start');
  assert.equal(blocks.at(-1), 'npm ci && npm test');
  const checkout = await makeCheckout(t);
  const port = await freePort();
  await startAsWritten(t, checkout, port);

  const commands = blocks.slice(1, -1).join('\n').replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: checkout,
    env: { ...cleanEnvironment(), DARKROOM_URL: `http://127.0.0.1:${port}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([once(bash, 'exit'), text(bash.stdout), text(bash.stderr)]);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /"status":"succeeded"/);

  const picture = await sharp(join(checkout, 'fox.png')).metadata();
  assert.deepEqual([picture.format, picture.width, picture.height], ['png', 1024, 1024]);
  const wide = await sharp(join(checkout, 'lighthouse.png')).metadata();
  assert.ok(wide.width > wide.height, `${wide.width}x${wide.height}`);
  const film = new Input({
    source: new BufferSource(await readFile(join(checkout, 'boat.mp4'))),
    formats: ALL_FORMATS,
  });
  const track = await film.getPrimaryVideoTrack();
  assert.ok(track);
  assert.equal(await film.getMimeType().then((type) => type.split(';')[0]), 'video/mp4');
  assert.equal(Math.round(await track.computeDuration()), 3);
});

test('every link between the pages leads to a file that is there', () => {
  const dead = pages().flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => join(dirname(path), target))
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${path} links to ${target}`),
  );
  assert.deepEqual(dead, []);
});

test('every page can be reached from the README', () => {
  const unlinked = globSync('docs/*.md', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !README.includes(`(${path})`));
  assert.deepEqual(unlinked, []);
});

function pages(): string[] {
  return globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });
}

function bashBlocks(page: string): string[] {
  return [...page.matchAll(/^```bash\n(.*?)\n```$/gms)].map(([, block = '']) => block);
}

/** A directory that looks as the checkout does after `npm ci`, with data of its own. */
async function makeCheckout(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-readme-'));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  for (const name of ['package.json', 'src', 'catalog', 'node_modules'])
    await symlink(join(ROOT, name), join(directory, name));
  return directory;
}

/** `npm start`, until it says that it listens. */
async function startAsWritten(t: TestContext, checkout: string, port: number): Promise<void> {
  // In a group of its own: npm ends before what it has started does.
  const npm = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...cleanEnvironment(), DARKROOM_PORT: String(port), DARKROOM_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(npm.stdout, 'close');
  t.after(async () => {
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM');
    await ended;
  });
  let said = '';
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes(`listens on http://127.0.0.1:${port}`)) break;
  }
  npm.stdout.resume();
  assert.match(said, /listens on/, said);
}

/** What the environment has of npm and of Darkroom is of the outer run and not what a reader has. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|DARKROOM_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|PORT$)/.test(name),
    ),
  );
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}
