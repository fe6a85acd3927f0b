import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { installation, runDarkroom } from '../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../test/helpers/service.ts';

test('a refusal names commands and options, never requests, and no field twice', async (t) => {
  const { url, keys } = await startTestService(t);
  const { directory } = await installation(t);
  const said = async (...words: string[]) => {
    const variables = { DARKROOM_URL: url, DARKROOM_API_KEY: keys.test };
    const { code, stderr } = await runDarkroom(words, variables, directory);
    assert.notEqual(code, 0, words.join(' '));
    assert.doesNotMatch(stderr, /\/v1|\b(\w+): '?\1\b/, stderr);
    return stderr;
  };
  assert.match(await said('image', 'fox', '-m', 'sketch-motion'), /is a video model\. Order it with darkroom video\./);
  assert.match(await said('video', 'fox', '-m', 'sketch'), /is an image model\. Order it with darkroom image\./);
  assert.match(await said('image', 'fox', '-m', 'skech'), /^There is no model 'skech'\..* darkroom models lists/);
  assert.match(
    await said('image', 'fox', '-m', 'sketch', '--max-price', 'abc'),
    /^--max-price: expected US dollars .* found "abc"/,
  );
  const [resolution, sede] = (await said('image', 'x', '-m', 'sketch', '--resolution', '9K', '--sede', '3')).split(
    '\n',
  );
  assert.match(resolution ?? '', /^--resolution must be one of .* found "9K"/);
  assert.match(sede ?? '', /^sketch does not accept 'sede'/);
  assert.match(
    await said('image', 'fox', '-m', 'sketch', '--simulate', 'seconds=9000'),
    /^--simulate seconds: expected a number from 0 to 3600, found 9000/,
  );
  assert.match(
    await said('tasks', 'list', '--status', 'done'),
    /^--status must be one or several of queued, .* found "done"/,
  );
  assert.match(await said('tasks', 'list', '--created-after', 'noon'), /^--created-after/);
  assert.match(await said('tasks', 'show', 'img_1'), /^This API key has no image task 'img_1'/);
});

test('a value that an option cannot have is named before anything is sent', async (t) => {
  const { directory } = await installation(t);
  const order = (...words: string[]) =>
    runDarkroom(['image', 'fox', '-m', 'sketch', ...words], { DARKROOM_URL: 'http://127.0.0.1:9' }, directory);
  const seconds = await order('--simulate', 'seconds=abc');
  assert.deepEqual(
    [seconds.code, seconds.stderr],
    [2, "--simulate: expected a number of seconds such as seconds=3, found 'abc'\n"],
  );
  const metadata = await order('--metadata', 'abc');
  assert.deepEqual(
    [metadata.code, metadata.stderr],
    [2, "--metadata: expected pairs such as order=42,shop=7, found 'abc'\n"],
  );
});

test('https to a service that answers http is told in plain words', async (t) => {
  const { url } = await startTestService(t);
  const { directory } = await installation(t);
  const secure = url.replace('http:', 'https:');
  const { code, stderr } = await runDarkroom(['models'], { DARKROOM_URL: secure }, directory);
  assert.deepEqual([code, stderr], [1, `${secure} answers with http, not https. Set DARKROOM_URL=${url}.\n`]);
});

test('a command finds the service at DARKROOM_PORT, also from a .env file', async (t) => {
  const { url, keys } = await startTestService(t);
  const { directory } = await installation(t);
  const { port } = new URL(url);
  const list = (variables: Record<string, string>) =>
    runDarkroom(['tasks', 'list'], { DARKROOM_API_KEY: keys.test, ...variables }, directory);
  assert.equal((await list({ DARKROOM_PORT: port })).stdout, 'No such tasks.\n');
  await writeFile(join(directory, '.env'), `DARKROOM_PORT=${port}\n`);
  assert.equal((await list({})).stdout, 'No such tasks.\n');
});

test('a data directory that is a file is named by every command that needs it', async (t) => {
  const { directory } = await installation(t);
  const file = join(directory, 'file');
  await writeFile(file, '');
  const message = new RegExp(`DARKROOM_DATA_DIR: expected a directory, found a file at ${file}\\.`);
  for (const words of [['serve'], ['keys', 'create', '--mode', 'test'], ['doctor']]) {
    const { code, stdout, stderr } = await runDarkroom(words, { DARKROOM_DATA_DIR: file }, directory);
    assert.equal(code, 1);
    assert.match(stdout + stderr, message);
  }
  const doctor = await runDarkroom(['doctor', '--json'], { DARKROOM_DATA_DIR: file, DARKROOM_PROT: '1' }, directory);
  const { ok, checks } = JSON.parse(doctor.stdout);
  assert.deepEqual([ok, checks.length, checks[0].name, checks[0].status], [false, 1, 'settings', 'failed']);
  assert.match(checks[0].found, /DARKROOM_PROT: there is no such setting\. Did you mean DARKROOM_PORT\?/);
});
