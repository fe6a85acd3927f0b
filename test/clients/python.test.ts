import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPENAI_PACKAGE, OPENAI_PACKAGES, openPython } from './python.ts';

test('a Python environment has the pinned package, and a script in it reads and answers JSON', async () => {
  const python = await openPython(OPENAI_PACKAGES);
  const script = `
import json, sys, openai
print(json.dumps({"version": openai.__version__, "input": json.load(sys.stdin)}))`;
  assert.deepEqual(await python.run(script, { input: { prompt: 'ein Fuchs, schön' } }), {
    version: OPENAI_PACKAGE.split('==')[1],
    input: { prompt: 'ein Fuchs, schön' },
  });
});

test('a Python script that fails is an error with its complaint', async () => {
  const python = await openPython(OPENAI_PACKAGES);
  await assert.rejects(python.run('raise ValueError("no such fox")'), /no such fox/);
});
