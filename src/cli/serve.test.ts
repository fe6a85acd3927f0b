import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config.ts';
import { startHints } from './serve.ts';

test('an open address without a public one is warned of, and nothing else is', () => {
  const url = 'http://0.0.0.0:8080';
  const warned = (environment: Record<string, string>) =>
    startHints(loadConfig(environment), url).join('\n').includes('Warning');
  assert.equal(warned({ DARKROOM_HOST: '0.0.0.0' }), true);
  assert.equal(warned({ DARKROOM_HOST: '192.168.1.7' }), true);
  assert.equal(warned({ DARKROOM_HOST: '0.0.0.0', DARKROOM_PUBLIC_URL: 'https://pictures.example.com' }), false);
  for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '::1'])
    assert.equal(warned({ DARKROOM_HOST: host }), false);
});
