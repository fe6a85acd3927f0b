import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliverFilm } from './deliver-film.ts';

const headers = { 'x-goog-api-key': 'secret' };
const sourceOf = (origin: string, uri: string) =>
  deliverFilm({ origin } as Parameters<typeof deliverFilm>[0], uri, headers).outputs[0]?.source;

test('the key is sent only to the API, at the configured address', () => {
  const own = 'https://generativelanguage.googleapis.com';
  const file = '/v1/files/a:download?alt=media';
  assert.deepEqual(sourceOf(own, `${own}${file}`), { url: `${own}${file}`, allowOrigins: [own], headers });
  const proxy = 'http://10.0.0.5:8080';
  assert.deepEqual(sourceOf(proxy, `${own}${file}`), { url: `${proxy}${file}`, allowOrigins: [proxy], headers });
  const elsewhere = 'https://storage.googleapis.com/bucket/film.mp4?signature=x';
  assert.deepEqual(sourceOf(own, elsewhere), { url: elsewhere, allowOrigins: [own] });
});
