import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createTrustedFetch } from '@darkroom-service/media';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { diagnosePeople } from './diagnose-people.ts';
import { PEOPLE_SETTINGS } from './people-settings.ts';
import { Provider } from './provider/provider.ts';

test('an issuer may differ from the setting by one last slash, and doctor names both where they differ otherwise', async (t) => {
  let issuer = '';
  const server = createServer((request, response) => {
    const isFound = request.url === '/realms/x/.well-known/openid-configuration';
    response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, jwks_uri: `${issuer}/jwks` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/x`;
  const configOf = (setting: string) =>
    loadConfig({ DARKROOM_OIDC_ISSUER: setting, DARKROOM_OIDC_CLIENT_ID: 'darkroom' });
  const diagnosed = async (setting: string) => {
    const [finding] = await diagnosePeople({ config: configOf(setting), now: Date.now() });
    return `${finding?.status}: ${finding?.found}`;
  };
  for (const [named, setting] of [
    [base, base],
    [`${base}/`, `${base}/`],
    [`${base}/`, base],
    [base, `${base}/`],
  ] as const) {
    issuer = named;
    assert.equal(await diagnosed(setting), `ok: the provider at ${named} answers; groups come in the claim groups`);
  }
  const { outgoing, of } = configOf(base);
  const { provider } = of(PEOPLE_SETTINGS);
  const trusted = createTrustedFetch(outgoing);
  t.after(() => trusted.close());
  const addresses = { redirectUri: `${base}/back`, signedOutUri: base };
  const options = { ...addresses, groupsClaim: 'groups', needsVerified: false, fetch: trusted.fetch, now: Date.now };
  assert.ok(provider);
  issuer = `${base}/`;
  const opened = await Provider.open({ ...options, provider });
  assert.match((await opened.begin()).url.href, /\/authorize\?/);
  assert.equal(opened.issuer, base);
  for (const other of [`${base}//`, `${base}/other`, 'https://evil.example/realms/x', base.toUpperCase()]) {
    issuer = other;
    const said = `failed: DARKROOM_OIDC_ISSUER is ${base}, and the provider there names itself ${other}`;
    assert.equal(await diagnosed(base), said);
  }
  issuer = 'https://evil.example/\u001b[31m';
  assert.match(await diagnosed(base), /names itself a text that is no address/);
  assert.match(await diagnosed(`${base}/away`), /^failed: The sign-in provider does not answer/);
});
