import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../../../test/helpers/service.ts';

test('the command line makes a link that invites if there is a provider to sign in with, lists it without the link, and revokes it', async (t) => {
  const { call, config, keys } = await startTestService(t);
  const provider = { DARKROOM_OIDC_ISSUER: 'https://login.example.com', DARKROOM_OIDC_CLIENT_ID: 'darkroom' };
  const runWith = (variables: Record<string, string>, ...words: string[]) =>
    runDarkroom(
      ['invitations', ...words],
      {
        ...variables,
        DARKROOM_DATA_DIR: config.dataDirectory,
        DARKROOM_PUBLIC_URL: 'https://pictures.example.com',
        ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
      },
      config.dataDirectory,
    );
  const run = (...words: string[]) => runWith(provider, ...words);
  const refused = await runWith({}, 'create', '--role', 'owner');
  const unheard = await call(keys.admin, 'POST', '/admin/v1/invitations', { role: 'owner' });
  assert.deepEqual([unheard.status, unheard.error.code], [400, 'invalid_request']);
  for (const said of [refused.stderr, unheard.error.message])
    assert.match(said, /Nobody can accept an invitation: DARKROOM_OIDC_ISSUER is not set here/);
  assert.deepEqual((await call(keys.admin, 'GET', '/admin/v1/invitations')).data.items, []);
  const { stdout: link, stderr } = await run('create', '--role', 'owner', '--email', 'Ada@example.com', '--plain');
  assert.match(link, /^https:\/\/pictures\.example\.com\/console\/sign-in\?invitation=[\w-]{43}\n$/, stderr);
  const listed = JSON.parse((await run('list', '--json')).stdout);
  assert.deepEqual(listed, { items: (await call(keys.admin, 'GET', '/admin/v1/invitations')).data.items });
  const [{ invitation_id: id, email, role }] = listed.items;
  assert.deepEqual([email, role], ['ada@example.com', 'owner']);
  assert.match((await run('revoke', id)).stdout, /owner, for ada@example\.com: revoked\.$/m);
  assert.equal((await run('list')).stdout, 'There are no open invitations.\n');

  for (const [words, expected] of [
    [['create', '--role', 'manager'], /'manager' is not a role of operators/],
    [['create', '--role', 'manager', '--account', 'none'], /There is no account 'none'/],
    [['create', '--role', 'boss'], /viewer, finance, creator, manager, operator, owner/],
    [
      ['create', '--role', 'owner', '--email', 'ada'],
      /--email: expected an address such as ada@example\.com, found 'ada'/,
    ],
    [['revoke', id], /There is no open invitation/],
  ] as const)
    assert.match((await run(...words)).stderr, expected);
});
