import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { PEOPLE_SETTINGS } from './people-settings.ts';

test('settings of sign-in that cannot work are refused, and a secret is not repeated', () => {
  const oidc = { DARKROOM_OIDC_ISSUER: 'https://login.example.com', DARKROOM_OIDC_CLIENT_ID: 'darkroom' };
  const wrong: Record<string, string>[] = [
    { DARKROOM_OIDC_ISSUER: 'http://login.example.com' },
    { DARKROOM_OIDC_ISSUER: 'https://ada:secret@login.example.com' },
    { DARKROOM_OIDC_CLIENT_ID: '' },
    { DARKROOM_OIDC_ROLES: 'designers=creator' },
    { DARKROOM_OIDC_ROLES: 'designers=owner@studio' },
    { DARKROOM_OIDC_ROLES: 'designers=king@studio' },
    { DARKROOM_OIDC_DOMAINS: '@example.com' },
  ];
  for (const change of wrong) {
    const [name = ''] = Object.keys(change);
    assert.throws(() => loadConfig({ ...oidc, ...change }), new RegExp(name), JSON.stringify(change));
  }
  assert.ok(loadConfig({ ...oidc, DARKROOM_OIDC_ISSUER: 'http://127.0.0.1:9000' }).of(PEOPLE_SETTINGS).provider);
});
