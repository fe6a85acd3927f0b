import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorCost } from '@darkroom-service/testing';
import { createRedactor } from './redact-secrets.ts';

test('a text costs the same whatever it holds, and one without a secret next to nothing', async () => {
  const many = createRedactor(Array.from({ length: 20 }, (_, index) => `sk-${index}${'fake'.repeat(10)}`));
  const megabyte = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length));
  for (const text of ['a fox in the snow. ', 'sk-', 'sk-1fakef', `sk-1${'fake'.repeat(10)}`, 'fake', '\\'])
    assert.ok((await processorCost(() => many(megabyte(text)))) < 20, text);
});
