import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorCost } from '@darkroom-service/testing';
import { SEPARATOR_BODIES, type SeparatorBody } from './helpers/separator-bodies.ts';
import { startTestService } from './helpers/service.ts';
import { wholeFile } from './helpers/whole-file.ts';

const MEGABYTES = 3;
/** Sending and discarding a megabyte costs at most a quarter of this. */
const MOST_COST_PER_MEGABYTE = 30;

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
    let answer = { status: 0, text: '' };
    const cost = await processorCost(async () => {
      answer = await send(body, MEGABYTES * 2 ** 20);
    });
    const { status, text } = answer;
    assert.ok(status >= 400 && status < 500, `${body.name}: ${status} ${text}`);
    costs.push(`${body.name}: ${status}, ${(cost / MEGABYTES).toFixed(1)} times a megabyte of JSON for a megabyte`);
    if (cost > MOST_COST_PER_MEGABYTE * MEGABYTES) dear.push(costs.at(-1)!);
  }
  t.diagnostic(costs.join('\n'));
  assert.deepEqual(dear, []);
});
