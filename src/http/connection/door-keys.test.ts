import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { openTestHttp } from '../../../test/helpers/http.ts';
import type { HttpAddition } from '../http-options.ts';
import type { KeyPlaces } from './door-keys.ts';

const WITH_PARAMETER: KeyPlaces = { header: 'x-other-key', parameter: 'key' };

/** Opens an interface with a dialect at `/door/`, which answers the key's name and the address that it sees. */
async function openDoor(t: TestContext, places: KeyPlaces) {
  const door: HttpAddition = {
    doors: { '/door/': places },
    mount(scope, { options }) {
      for (const path of ['/door/who', '/elsewhere/who'])
        scope.get(path, async (request) => {
          const { name } = await options.keyring.authenticate(request.headers.authorization);
          return { name, url: request.url, originalUrl: request.originalUrl, query: request.query };
        });
    },
  };
  const { app, issue } = await openTestHttp(t, { additions: [door] });
  const { key } = await issue({ name: 'own' });
  const { key: other } = await issue({ name: 'other' });
  const ask = async (request: InjectOptions) => {
    const answer = await app.inject(request);
    return { status: answer.statusCode, ...answer.json() };
  };
  return { ask, key, other };
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

test('a key is read from each place that the dialect names, and from the bearer', async (t) => {
  const { ask, key } = await openDoor(t, { ...WITH_PARAMETER, password: true });
  const requests: InjectOptions[] = [
    { headers: { 'x-other-key': key } },
    { url: `/door/who?key=${key}` },
    { url: `/door/who?a=1&k%65y=${key}&b=%20` },
    { headers: basic(`user:${key}`) },
    { headers: basic(`:${key}`) },
    { headers: { authorization: `Bearer ${key}` } },
    { url: `/door/who?key=${key}`, headers: { 'x-other-key': key, authorization: `bearer ${key}` } },
    { url: '/door/who?key=', headers: { 'x-other-key': key } },
  ];
  for (const request of requests)
    assert.equal((await ask({ url: '/door/who', ...request })).name, 'own', JSON.stringify(request));
});

test('a key in the address is removed from it, and everything else stays as it was sent', async (t) => {
  const { ask, key } = await openDoor(t, WITH_PARAMETER);
  const { url, originalUrl, query } = await ask({ url: `/door/who?a=%20+1&key=${key}&b&keys=2&Key=3` });
  const rest = '/door/who?a=%20+1&b&keys=2&Key=3';
  assert.deepEqual([url, originalUrl, query], [rest, rest, { a: '  1', b: '', keys: '2', Key: '3' }]);
  assert.equal((await ask({ url: `/door/who?key=${key}` })).url, '/door/who');
});

test('two different keys in one request are refused', async (t) => {
  const { ask, key, other } = await openDoor(t, { ...WITH_PARAMETER, password: true });
  for (const request of [
    { url: `/door/who?key=${key}&key=${other}` },
    { url: `/door/who?key=${key}`, headers: { 'x-other-key': other } },
    { url: '/door/who', headers: { 'x-other-key': other, authorization: `Bearer ${key}` } },
    { url: '/door/who', headers: { 'x-other-key': other, ...basic(`user:${key}`) } },
  ]) {
    const { status, error } = await ask(request);
    assert.deepEqual([status, error.code], [400, 'invalid_request']);
    assert.ok(!JSON.stringify(error).includes(key), 'the refusal does not repeat a key');
  }
});

test('a key is read from no other place, and outside the door only from the bearer', async (t) => {
  const { ask, key } = await openDoor(t, WITH_PARAMETER);
  for (const request of [
    { url: '/door/who' },
    { url: '/door/who?key=' },
    { url: '/door/who', headers: basic(`user:${key}`) },
    { url: '/door/who', headers: { 'x-api-key': key } },
    { url: '/elsewhere/who', headers: { 'x-other-key': key } },
    { url: `/elsewhere/who?key=${key}` },
  ]) {
    const { status, error } = await ask(request);
    assert.deepEqual([status, error.code], [401, 'missing_api_key'], JSON.stringify(request));
  }
});
