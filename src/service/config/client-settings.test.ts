import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadClientSettings } from './client-settings.ts';
import { ConfigFault } from './config-fault.ts';

const urlFor = (environment: Record<string, string>) => loadClientSettings(environment).url;

test('DARKROOM_URL and DARKROOM_API_KEY name the service and the key', () => {
  assert.deepEqual(loadClientSettings({}), { url: 'http://127.0.0.1:8080', apiKey: null });
  assert.deepEqual(loadClientSettings({ DARKROOM_URL: 'https://x.example/d/', DARKROOM_API_KEY: ' dk ' }), {
    url: 'https://x.example/d',
    apiKey: 'dk',
  });
  assert.equal(urlFor({ DARKROOM_URL: 'http://x.example', DARKROOM_PORT: '9000' }), 'http://x.example');
  assert.throws(() => loadClientSettings({ DARKROOM_URL: 'localhost:8080' }), ConfigFault);
});

test('without DARKROOM_URL, the service is expected where it listens with the same variables', () => {
  assert.equal(urlFor({ DARKROOM_PORT: '9000' }), 'http://127.0.0.1:9000');
  assert.equal(urlFor({ DARKROOM_HOST: '0.0.0.0', DARKROOM_PORT: ' 9000 ' }), 'http://127.0.0.1:9000');
  assert.equal(urlFor({ DARKROOM_HOST: '::' }), 'http://127.0.0.1:8080');
  assert.equal(urlFor({ DARKROOM_HOST: '::1' }), 'http://[::1]:8080');
  assert.equal(urlFor({ DARKROOM_HOST: 'studio.local' }), 'http://studio.local:8080');
});

test('a port that is no port of the service is not called with the key', () => {
  assert.equal(urlFor({ PORT: '3000' }), 'http://127.0.0.1:8080');
  assert.equal(urlFor({ DARKROOM_PORT: 'tcp://10.0.0.1:8080' }), 'http://127.0.0.1:8080');
  assert.throws(() => urlFor({ DARKROOM_PORT: '0' }), /DARKROOM_PORT: 0 lets the service pick a port.*DARKROOM_URL/);
  assert.throws(() => urlFor({ DARKROOM_PORT: '90000' }), /DARKROOM_PORT: expected .* found "90000"/);
});
