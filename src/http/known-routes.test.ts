import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../test/helpers/service.ts';
import { wholeFile } from '../../test/helpers/whole-file.ts';

const { call, keys } = await startTestService(wholeFile);

test('a refusal of an address with a slip in its base has the right one, and of another none', async () => {
  const generations = 'POST /openai/v1/images/generations?';
  for (const [method, path, meant] of [
    ['POST', '/openai/v1/v1/images/generations', generations],
    ['POST', '/openai/v1//images/generations', generations],
    ['POST', '//openai//v1/images/generations', generations],
    ['POST', '/openai/v1/openai/v1/images/generations', generations],
    ['POST', '/openai/v1/images/generations/', generations],
    ['POST', '/openai/images/generations', generations],
    ['POST', '/images/generations', generations],
    ['POST', '/v1/images/generations', generations],
    ['POST', '/v1/openai/v1/images/generations', generations],
    ['POST', '/console/openai/v1/images/generations', generations],
    ['POST', '/console/images/generations', generations],
    ['POST', '/v1/v1/images', 'POST /v1/images?'],
    ['POST', '/v1//images', 'POST /v1/images?'],
    ['POST', '/v1/images/', 'POST /v1/images?'],
    ['POST', '/images', 'POST /v1/images?'],
    ['POST', '/console/v1/images', 'POST /v1/images?'],
    ['GET', '/v1/v1/catalog?type=image', 'GET /v1/catalog?'],
    ['DELETE', '/v1/v1/images/img_1', 'DELETE /v1/images/img_1?'],
    ['POST', '/videos', null],
    ['POST', '/nowhere', null],
    ['POST', '//evil.example/v1/images', null],
    ['DELETE', '/v1/v1/images', null],
  ] as const) {
    const { status, error } = await call(keys.test, method, path as '/v1/images', method === 'GET' ? undefined : {});
    assert.ok(status === 404 || status === 405, `${path} ${status}`);
    const found = /Did you mean (.*?\?)/.exec(error.message)?.[1] ?? null;
    assert.equal(found, meant, `${path}: ${error.message}`);
  }
});

test('a GET where only a POST is accepted has the address with https, as a redirect from http made it, if that is the public one', async (t) => {
  const path = '/openai/v1/images/generations' as '/v1/images';
  for (const [publicUrl, meant] of [
    ['https://pictures.example/app', `POST https://pictures.example/app${path}?`],
    ['http://pictures.example', undefined],
  ] as const) {
    const behind = await startTestService(t, { env: { DARKROOM_PUBLIC_URL: publicUrl } });
    for (const address of [path, `${new URL(publicUrl).pathname.replace(/\/$/, '')}${path}` as typeof path]) {
      const { status, error } = await behind.call(null, 'GET', address);
      assert.equal(status, 405);
      assert.equal(/Did you mean (.*?\?)/.exec(error.message)?.[1], meant, error.message);
    }
    const { error } = await behind.call(null, 'DELETE', path);
    assert.doesNotMatch(error.message, /redirect/);
  }
});
