import assert from 'node:assert/strict';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { acquireProcessLock } from '@darkroom-service/store';
import { solidPng } from '@darkroom-service/testing';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../helpers/additions.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * Several processes on one data directory. As in containers, all of them have the same host name and process number:
 * they run in this one.
 */

const service = await startTestService(wholeFile, { service: { tempo: { readinessFreshMs: 0 } } });
const { config } = service;
const temporary = join(config.dataDirectory, 'tmp');
const locks = join(config.dataDirectory, 'processes');
const WEEK_MS = 7 * 24 * 3_600_000;

test('a process that comes and goes leaves the temporary files of the others', async () => {
  const [own = ''] = await readdir(temporary);
  const other = await startAnother();
  assert.equal((await readdir(temporary)).length, 2);
  await other.stop({ now: true });
  assert.deepEqual(await readdir(temporary), [own]);
  assert.equal(await upload(service), 201);
});

test('a start removes the temporary files of those processes whose lock nobody holds, and of unknown ones after a week', async () => {
  const [own = ''] = await readdir(temporary);
  const living = acquireProcessLock(locks, 'box-1-living');
  const killed = acquireProcessLock(locks, 'box-1-killed');
  killed.release({ keepsFile: true });
  for (const name of ['box-1-living', 'box-1-killed', `${process.pid}-unknown`, `${process.pid}-left`])
    await mkdir(join(temporary, name));
  const old = new Date(Date.now() - WEEK_MS - 1000);
  for (const name of ['box-1-living', `${process.pid}-left`]) await utimes(join(temporary, name), old, old);
  await (await startAnother()).stop({ now: true });
  assert.deepEqual((await readdir(temporary)).sort(), [own, 'box-1-living', `${process.pid}-unknown`].sort());
  living.release();
});

test('a process whose temporary files were removed makes their directory again', async () => {
  await rm(temporary, { recursive: true });
  assert.equal(await upload(service), 201);
  const { keys, make } = service;
  await rm(temporary, { recursive: true });
  const task = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '64x64' });
  assert.equal(task.status, 'succeeded');
});

test('a process that cannot write temporary files is not ready, refuses uploads for now, and recovers by itself', async (t) => {
  await rm(temporary, { recursive: true });
  await writeFile(temporary, '');
  t.after(() => rm(temporary, { force: true, recursive: true }));
  const { call, keys } = service;
  const { status, error } = await call(keys.admin, 'GET', '/readyz');
  assert.equal(status, 503);
  const [fault, ...others] = error.details.filter((check) => 'ok' in check && check.ok === false);
  assert.deepEqual([fault?.name, others], ['temporary files', []]);
  assert.equal(await upload(service), 503);
  await rm(temporary);
  assert.equal((await call(keys.admin, 'GET', '/readyz')).status, 200);
  assert.equal(await upload(service), 201);
});

async function startAnother() {
  return await startService({ ...config, port: 0 }, { log: createLog('silent') });
}

async function upload({ url, keys }: Pick<TestService, 'url' | 'keys'>): Promise<number> {
  const form = new FormData();
  form.append(
    'file',
    new Blob([new Uint8Array(solidPng({ width: 8, height: 8, value: 1 }))], { type: 'image/png' }),
    'fox.png',
  );
  const headers = { authorization: `Bearer ${keys.test}` };
  const answer = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: form });
  await answer.body?.cancel();
  return answer.status;
}
