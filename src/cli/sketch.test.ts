import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '..', 'main.ts');

test('the illustrator says what it understands of a prompt, for people, for programs and in one word', async () => {
  const explain = async (...words: string[]) =>
    (await run(process.execPath, [MAIN, 'sketch', 'explain', 'two red boats and a zorblax at dusk', ...words])).stdout;
  const [text, json, plain] = await Promise.all([explain(), explain('--json'), explain('--plain')]);
  assert.match(text, /2 × sailboat \(red\)\.\nTime of day: dusk\./);
  const document = JSON.parse(json);
  assert.deepEqual(document.unknown, ['zorblax']);
  assert.equal(document.subjects[0].count, 2);
  assert.equal(plain, 'zorblax\n');
});

test('an empty prompt is a fault of usage', async () => {
  await assert.rejects(run(process.execPath, [MAIN, 'sketch', 'explain', ' ']), { code: 2 });
});
