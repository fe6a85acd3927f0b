import assert from 'node:assert/strict';
import { on } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { falInputs, openFakeFal } from '@darkroom-service/engines/fakes';
import { installation, startDarkroom } from './helpers/run-darkroom.ts';

const ORDER = { model_id: 'nano-banana-pro', prompt: 'a red fox in the snow' };
const DEADLINE_MS = 180_000;

test('a newcomer with nothing but a fal key gets a quote for Nano Banana Pro, orders it, and is charged the quote', async (t) => {
  const fal = await openFakeFal(falInputs());
  t.after(() => fal.stop());
  const { directory, data } = await installation(t);
  // The address stands for fal's own, which has none here.
  await writeFile(join(directory, '.env'), `FAL_KEY=${fal.key}\nDARKROOM_FAL_URL=${fal.url}\n`);
  const variables = { DARKROOM_DATA_DIR: data, DARKROOM_PORT: '0', DARKROOM_LOG_LEVEL: 'warn' };
  const { process: service, ended } = startDarkroom(['serve'], variables, directory);
  t.after(() => service.kill('SIGKILL'));
  const url = await addressOf(service.stdout!);
  const [, key = ''] = /DARKROOM_LIVE_KEY=(\S+)/.exec(await readFile(join(data, 'first-keys.txt'), 'utf8')) ?? [];
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data: found, error } = (await answer.json()) as { data: never; error?: object };
    assert.ok(answer.ok, JSON.stringify(error));
    return found as Answer;
  };

  const quote = await call('POST', '/v1/prices', ORDER);
  assert.deepEqual([quote.refusal, quote.basis], [null, 'route_cost']);
  let task = await call('POST', '/v1/images', ORDER, { prefer: 'wait=45' });
  const until = Date.now() + DEADLINE_MS;
  while (task.status === 'queued' || task.status === 'processing') {
    assert.ok(Date.now() < until, JSON.stringify(task));
    task = await call('GET', task.urls.self, undefined, { prefer: 'wait=45' });
  }
  assert.deepEqual([task.status, task.error], ['succeeded', null]);
  assert.deepEqual([task.cost.state, task.cost.amount, task.cost.quoted], ['charged', quote.amount, quote.amount]);
  assert.equal(fal.jobs.size, 1);
  assert.equal((await call('GET', '/v1/account')).balance, `-${quote.amount}`);
  const file = await fetch(task.outputs[0]!.url);
  assert.match(file.headers.get('content-type') ?? '', /^image\//);
  assert.ok((await file.arrayBuffer()).byteLength > 0);
  service.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /"level":"fatal"/);
});

/** The parts of a quote, a task and an account that are read here. */
interface Answer {
  readonly refusal: object | null;
  readonly basis: string;
  readonly amount: string;
  readonly status: string;
  readonly error: object | null;
  readonly balance: string;
  readonly cost: { readonly state: string; readonly amount: string; readonly quoted: string };
  readonly outputs: readonly { readonly url: string }[];
  readonly urls: { readonly self: string };
}

async function addressOf(stdout: Readable): Promise<string> {
  let said = '';
  for await (const [chunk] of on(stdout, 'data', { close: ['close'] })) {
    said += String(chunk);
    const [, url] = /listens on (http:\/\/127\.0\.0\.1:\d+)[\s\S]*first-keys\.txt/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the service did not say its address: ${said}`);
}
