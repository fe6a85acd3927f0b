import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '@darkroom-service/darkroom/kernel';
import { ADDITIONS } from '../../src/additions/list.ts';
import type { Addition } from '../../src/service/addition.ts';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { startTestService } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';

const operation = (id: string) => ({
  id,
  summary: id,
  description: id,
  answer: Type.Object({ done: Type.Boolean() }),
  run: async () => ({ done: true }),
});

/** An addition with an operation for managers, and one for keys alone. */
const STAMPS: Addition = {
  name: 'stamps',
  open: () => ({
    http: async ({ http }) =>
      http.operations({
        'PUT /v1/stamps/{stamp}': { ...operation('setStamp'), roles: ['manager'] },
        'GET /v1/stamps/{stamp}': { ...operation('getStamp'), roles: [] },
      }),
  }),
};

test('people may call an operation of an addition if it names their role, and keys may call it anyway', async (t) => {
  const provider = await startOidcProvider(t);
  const roles = ['viewer', 'manager'] as const;
  const service = await startTestService(t, {
    env: {
      ...provider.env,
      DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
      DARKROOM_OIDC_ROLES: roles.map((role) => `${role}=${role}@default`).join(),
    },
    service: { engines: [createSwiftEngine()], additions: [...ADDITIONS, STAMPS] },
  });
  provider.serve(service.url);
  const statuses = async (bearer: string) =>
    await Promise.all(
      ['PUT', 'GET'].map(async (method) => (await service.call(bearer, method, '/v1/stamps/red')).status),
    );
  for (const role of roles) {
    const email = `${role}@example.com`;
    provider.people.set(role, { sub: role, email, email_verified: true, name: role, groups: [role] });
    const bearer = await (await signInAs(service, provider, role)).bearer({ account_id: 'default', mode: 'live' });
    assert.deepEqual(await statuses(bearer), role === 'manager' ? [200, 403] : [403, 403], role);
  }
  assert.deepEqual(await statuses(service.keys.live), [200, 200]);
});
