import assert from 'node:assert/strict';
import { on, once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { loadConfig } from '../../test/helpers/load-config.ts';
import { installation, runDarkroom, startDarkroom } from '../../test/helpers/run-darkroom.ts';
import { ADDITIONS } from '../additions/list.ts';
import { addressFault, startHints } from './run-service.ts';

test('an open address without a public one is warned of, and nothing else is', () => {
  const url = 'http://0.0.0.0:8080';
  const warned = (environment: Record<string, string>) =>
    startHints(loadConfig(environment), url, ADDITIONS).join('\n').includes('Warning');
  assert.equal(warned({ DARKROOM_HOST: '0.0.0.0' }), true);
  assert.equal(warned({ DARKROOM_HOST: '192.168.1.7' }), true);
  assert.equal(warned({ DARKROOM_HOST: '0.0.0.0', DARKROOM_PUBLIC_URL: 'https://pictures.example.com' }), false);
  for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '::1'])
    assert.equal(warned({ DARKROOM_HOST: host }), false);
});

test('every engine that is on is told with what switched it on, and links begin with the public address', () => {
  const hints = (environment: Record<string, string>) =>
    startHints(loadConfig(environment), 'http://127.0.0.1:8080', ADDITIONS).join('\n');
  const keys = { FAL_KEY: 'a:b', GEMINI_API_KEY: 'g', DARKROOM_SD_SERVER_URL: 'http://127.0.0.1:1234' };
  const all = hints(keys);
  for (const line of [
    'sketch is on. It is built in',
    'fal is on: FAL_KEY',
    'google is on: GEMINI_API_KEY',
    'sd-server is on: DAR',
  ])
    assert.ok(all.includes(`Engine ${line}`), line);
  assert.ok(!all.includes('a:b'));
  const some = hints({ ...keys, DARKROOM_ENGINES: 'fal', DARKROOM_PUBLIC_URL: 'https://pictures.example.com/d' });
  assert.match(some, /Engine sketch is on for test keys only/);
  assert.deepEqual(some.match(/Engine \w+ is on:/g), ['Engine fal is on:']);
  assert.match(some, /The reference: https:\/\/pictures\.example\.com\/d\/docs/);
  assert.doesNotMatch(hints({ DARKROOM_WITHOUT: 'guide,console' }), /The (console|reference):/);
});

async function untilSaid(stream: Readable, expected: RegExp): Promise<RegExpExecArray> {
  let said = '';
  for await (const [chunk] of on(stream, 'data', { close: ['close'] })) {
    said += String(chunk);
    const match = expected.exec(said);
    if (match !== null) return match;
  }
  throw new Error(`expected ${expected}, found ${said}`);
}

test('the service starts on nothing, keeps its first keys out of the output, rereads its catalog and stops when told, without a fault', async (t) => {
  const { directory, data } = await installation(t);
  const variables = { DARKROOM_DATA_DIR: data, DARKROOM_PORT: '0', DARKROOM_LOG_LEVEL: 'warn' };
  const { process: service, ended } = startDarkroom(['serve'], variables, directory);
  t.after(() => service.kill('SIGKILL'));
  const [, url = ''] = await untilSaid(
    service.stdout!,
    /listens on (http:\/\/127\.0\.0\.1:\d+)[\s\S]*first-keys\.txt.*Sign in to the console with one of them/,
  );
  assert.equal((await fetch(`${url}/healthz`)).status, 200);

  const secret = /DARKROOM_TEST_KEY=(\S+)/.exec(await readFile(join(data, 'first-keys.txt'), 'utf8'))?.[1] ?? '';
  const client = { DARKROOM_URL: url, DARKROOM_API_KEY: secret };
  const models = await runDarkroom(['models', '--plain'], client, directory);
  assert.deepEqual([models.code, models.stderr], [0, '']);
  assert.match(models.stdout, /^sketch$/m);

  service.kill('SIGHUP');
  await untilSaid(service.stderr!, /The catalog was reloaded/);
  service.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /dk_(live|test|admin)_/);
  assert.doesNotMatch(stderr, /"level":"(error|fatal)"/, 'nothing went wrong');
});

test('a taken port is told with the variable that it was set by', () => {
  const config = { host: '127.0.0.1', port: 8080, metricsPort: 9090 };
  const told = (port: number) =>
    String(addressFault(Object.assign(new Error('taken'), { code: 'EADDRINUSE', syscall: 'listen', port }), config));
  assert.match(told(9090), /listens on 127\.0\.0\.1:9090\. Stop it, or set DARKROOM_METRICS_PORT to/);
  assert.match(told(8080), /listens on 127\.0\.0\.1:8080\. Stop it, or set DARKROOM_PORT to/);
});

test('a taken port is told with what to do', async (t) => {
  const { directory, data } = await installation(t);
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const { code, stderr } = await runDarkroom(['serve'], { DARKROOM_DATA_DIR: data, DARKROOM_PORT: port }, directory);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`Another program listens on 127\\.0\\.0\\.1:${port}`));
});

test('without a terminal, a start that fails is one line of JSON with every fault of the settings', async (t) => {
  const { directory, data } = await installation(t);
  const variables = { DARKROOM_DATA_DIR: data, DARKROOM_PORT: 'x', DARKROOM_ROLE: 'king' };
  const { code, stdout, stderr } = await runDarkroom(['serve'], variables, directory);
  assert.deepEqual([code, stdout], [1, '']);
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 1, stderr);
  const { level, msg, role, error } = JSON.parse(lines[0] ?? '');
  assert.deepEqual([level, role, error.code], ['fatal', 'serve', 'configuration']);
  assert.match(msg, /^The service does not start\./);
  assert.equal(error.details.length, 2);
});

test('the service listens only after its first keys are in their file', async (t) => {
  const { directory, data } = await installation(t);
  // The file cannot be written.
  await mkdir(join(data, 'first-keys.txt'), { recursive: true });
  const variables = { DARKROOM_DATA_DIR: data, DARKROOM_PORT: '0', DARKROOM_LOG_LEVEL: 'info' };
  const { code, stdout, stderr } = await runDarkroom(['serve'], variables, directory);
  assert.equal(code, 1);
  assert.doesNotMatch(stdout, /listens on|"msg":"ready"/);
  assert.match(stderr, /does not start/);
});
