import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@mediabunny/server')
      throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  },
});
const { startTestService } = await import('../../../test/helpers/service.ts');
const { call, keys } = await startTestService(wholeFile);

test('without the optional codecs the films of the built-in engine are closed to customers, and only operators read why', async () => {
  const film = { model_id: 'sketch-motion', prompt: 'a boat' };
  for (const key of [keys.test, keys.live]) {
    const { status, error } = await call(key, 'POST', '/v1/videos', film);
    assert.deepEqual([status, error.code, error.retryable], [503, 'model_unavailable', true]);
    assert.doesNotMatch(error.message, /npm|mediabunny|test key/);
  }
  const still = { model_id: 'sketch', prompt: 'a boat', size: '64x64' };
  assert.equal((await call(keys.test, 'POST', '/v1/images', still)).status, 201);
  const { data: models } = await call(keys.admin, 'GET', '/admin/v1/models');
  const motion = models.items.find(({ model_id: id }: { model_id: string }) => id === film.model_id);
  assert.match(motion?.not_live_because ?? '', /^This installation lacks a part that sketch needs for it/);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/health');
  const sketch = data.checks.find(({ name }: { name: string }) => name === 'engine sketch');
  assert.match(
    sketch?.detail ?? '',
    /^paints stills, and no films: the optional package @mediabunny\/server is missing/,
  );
  assert.deepEqual([sketch?.ok, sketch?.cannot_make], [true, 'films']);
});
