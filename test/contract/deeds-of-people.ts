import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import type { wholeFile } from '../helpers/whole-file.ts';

/** A service with a manager of its account who has signed in, and others to sign out. */
export interface Team extends Pick<TestService, 'call' | 'issueKey' | 'keys'> {
  /** The bearer of the manager. */
  readonly manager: string;
  /** Somebody else who has signed in. */
  readonly person: string;
}

export async function openTeam(t: typeof wholeFile): Promise<Team> {
  const provider = await startOidcProvider(t);
  const service = await startTestService(t, {
    env: { ...provider.env, DARKROOM_OIDC_ROLES: 'leads=manager@default' },
    service: { engines: [createSwiftEngine()] },
  });
  provider.serve(service.url);
  for (const sub of ['grace', 'vera']) provider.people.set(sub, { sub, name: sub, groups: ['leads'] });
  const grace = await signInAs(service, provider, 'grace');
  await signInAs(service, provider, 'vera');
  const { call, keys } = service;
  const { data } = await call(keys.admin, 'GET', '/admin/v1/people');
  return {
    ...service,
    manager: await grace.bearer({ account_id: 'default', mode: 'live' }),
    person: data.items.find(({ name }) => name === 'vera')?.person_id ?? '',
  };
}
