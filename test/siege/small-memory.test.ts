import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { solidPng, until } from '@darkroom-service/testing';
import { childEnvironment } from '../helpers/child-environment.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';
import type { TaskAnswer } from '../helpers/service.ts';
import { openMemoryGroup } from './memory-group.ts';

/** A service in a small container, whose pictures take more memory than it has. */

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const BYTES = 256 * 2 ** 20;
const UPLOADS = 4;

test('in 256 MB the system ends children and not the service, and blames no order and no file', async (t) => {
  const group = await openMemoryGroup(BYTES);
  if (group === null) return t.skip('this machine lets no memory cgroup be made');
  const running: ChildProcess[] = [];
  t.after(async () => {
    for (const service of running) service.kill('SIGKILL');
    // Children end after the service.
    await until(
      () =>
        group.close().then(
          () => true,
          () => false,
        ),
      Boolean,
    );
  });
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-small-'));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const data = join(directory, 'data');
  const words = ['keys', 'create', '--mode', 'test', '--plain'];
  const key = (await runDarkroom(words, { DARKROOM_DATA_DIR: data }, directory)).stdout.trim();
  const url = `http://127.0.0.1:${await freePort()}`;
  const joined = 'echo $$ > "$0"; exec "$@"';
  const service = spawn('/bin/sh', ['-c', joined, group.members, process.execPath, MAIN, 'serve'], {
    cwd: directory,
    env: { ...childEnvironment(), DARKROOM_DATA_DIR: data, DARKROOM_PORT: new URL(url).port },
    stdio: 'ignore',
  });
  running.push(service);
  const ask = async (path: string, body?: string | Buffer, type = 'application/json') => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    return { status: response.status, answer: (await response.json()) as { data: TaskAnswer } };
  };
  await until(
    async () => await fetch(`${url}/readyz`).catch(() => null),
    (response) => response?.ok === true,
  );

  const order = JSON.stringify({ model_id: 'sketch', prompt: 'a fox', resolution: '4K' });
  const { answer } = await ask('/v1/images', order);
  const picture = solidPng({ width: 6_000, height: 6_000, value: 1 });
  const uploads = await Promise.all(
    Array.from({ length: UPLOADS }, () => ask('/v1/files', picture, 'application/octet-stream')),
  );
  for (const { status, answer: told } of uploads) assert.ok([201, 503].includes(status), JSON.stringify(told));
  await until(
    () => group.kills(),
    (kills) => kills > 0,
  );
  const { answer: now } = await ask(new URL(answer.data.urls.self).pathname);
  assert.ok(['queued', 'processing', 'succeeded'].includes(now.data.status), JSON.stringify(now.data.error));
  assert.deepEqual([service.exitCode, service.signalCode], [null, null]);
  t.diagnostic(`${await group.kills()} children were ended`);
});
