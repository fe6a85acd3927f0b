import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFuzz } from './run-fuzz.ts';

test('random requests of several customers are answered by the document, and no cent is wrong', async () => {
  const statuses = await runFuzz({ seed: 1, ms: 3_000 });
  for (const status of ['200', '201', '400', '404']) assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`);
});
