import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { it } from 'node:test';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@mediabunny/server')
      throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  },
});
const { createSketchEngine } = await import('./sketch-engine.ts');

it('the engine says what it lacks without the optional codecs', async () => {
  const pool = { size: 1, paint: () => Promise.reject(new Error('unused')), close: async () => undefined };
  const engine = createSketchEngine({ pool, temporaryDirectory: tmpdir(), clock: { now: () => 0 }, concurrency: 1 });
  const found = await engine.probe?.({ signal: new AbortController().signal, onProgress: () => undefined });
  assert.deepEqual(found, { ok: true, message: 'paints stills; films need the optional package @mediabunny/server' });
});
