import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEPARATOR_BODIES, type SeparatorBody } from './separator-bodies.ts';
import { startTestService } from './service.ts';
import { wholeFile } from './whole-file.ts';

const MEGABYTES = 3;
/** Sending and discarding a megabyte takes about 10 ms of processor time. */
const MOST_CPU_MS_PER_MEGABYTE = 50;

const app = await startTestService(wholeFile);
const key = (await app.issueKey({ mode: 'test' })).key;

async function send({ path, contentType, headers, make }: SeparatorBody, bytes: number) {
  const response = await fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': contentType, ...headers },
    body: new Uint8Array(make(bytes)),
  });
  return { status: response.status, text: await response.text() };
}

test('a body of nothing but separators is refused and costs hardly more than its bytes', async (t) => {
  const costs: string[] = [];
  const dear: string[] = [];
  for (const body of SEPARATOR_BODIES) {
    await send(body, 1_000);
    const before = process.threadCpuUsage();
    const { status, text } = await send(body, MEGABYTES * 2 ** 20);
    const { user, system } = process.threadCpuUsage(before);
    const cost = (user + system) / 1000 / MEGABYTES;
    assert.ok(status >= 400 && status < 500, `${body.name}: ${status} ${text}`);
    costs.push(`${body.name}: ${status}, ${cost.toFixed(1)} ms of processor time for a megabyte`);
    if (cost > MOST_CPU_MS_PER_MEGABYTE) dear.push(costs.at(-1)!);
  }
  t.diagnostic(costs.join('\n'));
  assert.deepEqual(dear, []);
});
