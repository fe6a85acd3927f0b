import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Searches cost the event loop nothing, whatever the customers have written. */

/** NFKC makes 18 characters of each. */
const EXPANDING = '\u{FDFA}'.repeat(7_900);
const WORD = EXPANDING.charAt(0).normalize('NFKC').slice(0, 3);
const PROMPTS = 100;
const SEARCHES = 12;

const service = await startTestService(wholeFile);
const { call } = service;

/** A key with that many waiting orders of the same prompt. */
async function keyWithPrompts(prompt: string, count: number): Promise<string> {
  const { key } = await service.issueKey({ mode: 'test' });
  const orders = Array.from({ length: count }, () => ({
    operation: 'images',
    body: { model_id: 'sketch', prompt, simulate: { seconds: 3_600 } },
  }));
  const { status, body } = await call(key, 'POST', '/v1/batches', { orders });
  assert.equal(status, 201, JSON.stringify(body));
  await until(
    async () => (await call(key, 'GET', `/v1/images?limit=1&offset=${count - 1}`)).data.items,
    ({ length }) => length === 1,
  );
  return key;
}

async function search(key: string, words: string, after = '') {
  const more = after === '' ? '' : `&after=${after}`;
  return await call(key, 'GET', `/v1/images?limit=100&search=${encodeURIComponent(words)}${more}`);
}

test('searches at once over text that normalization makes long fold none of it on the main thread', async (t) => {
  const key = await keyWithPrompts(EXPANDING, PROMPTS);
  // The service runs in this thread; its searches run in another, which has a String of its own.
  const { normalize } = String.prototype;
  let folded = 0;
  t.mock.method(String.prototype, 'normalize', function (this: string, form?: string) {
    folded += this.length;
    return normalize.call(this, form);
  });
  const answers = await Promise.all(Array.from({ length: SEARCHES }, () => search(key, 'qq')));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.ok(folded < EXPANDING.length, `${folded} characters were folded on the main thread`);
});

test('a search counts the characters that it compares, and its pages lead to the end', async () => {
  const key = await keyWithPrompts(EXPANDING, PROMPTS);
  const found = new Set<string>();
  let pages = 0;
  for (let after: string | null = ''; after !== null; pages++) {
    const { data } = await search(key, WORD, after);
    assert.equal(data.has_more, data.next_after !== null);
    for (const task of data.items) found.add(task.task_id);
    assert.ok(data.items.length < 40, '4 million characters are 29 such prompts');
    after = data.next_after ?? null;
  }
  assert.equal(found.size, PROMPTS);
  assert.ok(pages >= 4);
});
