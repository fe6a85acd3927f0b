import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { bombs } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { openPremises } from '../crash/child-service.ts';
import { assertHealthy } from './target.ts';

/** Sound, within every limit, and much more work than it weighs. */
const costly = bombs.interlacedPng(3000);
const small = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#a50' } })
  .png()
  .toBuffer();
const smallUri = `data:image/png;base64,${small.toString('base64')}`;
const linux = { skip: process.platform === 'linux' ? false : 'reads /proc' };

interface Running {
  readonly url: string;
}

async function upload({ url }: Running, key: string, body: Buffer): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
  const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(body) });
  await response.arrayBuffer();
  return response.status;
}

/** The media processes of a service. */
async function mediaProcesses(service: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent !== service) return [];
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return command.includes('media-program') ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

test('a small data URI of one key does not wait behind the costly pictures of another', async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  let read = 0;
  const uploads = Array.from({ length: 8 }, () => upload(child, premises.keys.test, costly).finally(() => read++));
  const wish = { model_id: 'sketch', prompt: 'a fox', size: '64x64', image_urls: [smallUri] };
  await until(
    () => read,
    (count) => count > 0,
    1,
  );
  const { status } = await child.call(premises.keys.live, 'POST', '/v1/images', wish);
  assert.equal(status, 201);
  assert.ok(read < 8, 'the other key still waits');
  // A slow machine refuses for now what it cannot examine in time.
  for (const answer of await Promise.all(uploads)) assert.ok(answer === 201 || answer === 503, String(answer));
  await assertHealthy(child, premises);
});

test('an upload succeeds although its media process is killed while it is read', linux, async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  assert.deepEqual(await mediaProcesses(child.process.pid!), [], 'a service that saw no file has no media process');
  assert.equal(await upload(child, premises.keys.test, small), 201);
  const [warm] = await mediaProcesses(child.process.pid!);
  const uploading = upload(child, premises.keys.test, costly);
  process.kill(warm!, 'SIGKILL');
  assert.equal(await uploading, 201);
  assert.notDeepEqual(await mediaProcesses(child.process.pid!), [warm]);
});

test('media processes end when their service is killed', linux, async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  assert.equal(await upload(child, premises.keys.test, small), 201);
  const [warm] = await mediaProcesses(child.process.pid!);
  const uploading = upload(child, premises.keys.test, costly).catch(() => null);
  child.process.kill('SIGKILL');
  await uploading;
  await until(
    () => readFile(`/proc/${warm}/cmdline`, 'utf8').catch(() => ''),
    (command) => !command.includes('media-program'),
  );
});
