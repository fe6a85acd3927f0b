import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOidcProvider } from '../../../test/helpers/oidc-provider.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { signInAs } from '../../../test/helpers/signed-in.ts';
import { linesOf } from '../../../test/helpers/zip-entries.ts';

test('an export of a person who signs in has name, address, roles, sessions, invitations and audit entries, and no secret', async (t) => {
  const provider = await startOidcProvider(t);
  const people = await startTestService(t, {
    env: { ...provider.env, DARKROOM_OIDC_ROLES: 'leads=manager@default' },
  });
  provider.serve(people.url);
  for (const sub of ['grace', 'vera'])
    provider.people.set(sub, { sub, name: sub, email: `${sub}@example.com`, email_verified: true, groups: ['leads'] });
  const grace = await signInAs(people, provider, 'grace');
  await signInAs(people, provider, 'vera');
  const bearer = await grace.bearer({ account_id: 'default', mode: 'live' });
  await people.call(bearer, 'POST', '/v1/account/invitations', { role: 'viewer', email: 'ada@example.com' });
  await people.call(people.keys.admin, 'POST', '/admin/v1/invitations', { role: 'owner', email: 'grace@example.com' });
  const { data } = await people.call(people.keys.admin, 'GET', '/admin/v1/people');
  const id = data.items.find(({ name }) => name === 'grace')?.person_id ?? '';
  const wish = { account_id: 'default', end_user: id };
  const { export_id } = (await people.call(people.keys.admin, 'POST', '/admin/v1/exports', wish)).data;
  const answer = await fetch(`${people.url}/admin/v1/exports/${export_id}/archive`, {
    headers: { authorization: `Bearer ${people.keys.admin}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const rows = (name: string) => linesOf<Record<string, unknown>>(bytes, `${name}.jsonl`);
  assert.deepEqual(
    rows('people').map(({ name, email }) => [name, email]),
    [['grace', 'grace@example.com']],
  );
  assert.deepEqual(
    rows('memberships').map(({ account_id, role }) => [account_id, role]),
    [['default', 'manager']],
  );
  assert.equal(rows('person_sessions').length, 1);
  assert.deepEqual(
    rows('invitations')
      .map(({ role }) => role)
      .sort(),
    ['owner', 'viewer'],
  );
  const acts = rows('audit_log').map(({ act }) => act);
  assert.deepEqual(acts.sort(), ['invitation.create', 'person.sign_in']);
  const text = bytes.toString('latin1');
  assert.doesNotMatch(text, /vera|tokens_sealed|"hash"/);
});
