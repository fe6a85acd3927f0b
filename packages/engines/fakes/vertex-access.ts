import assert from 'node:assert/strict';
import { readServiceAccount } from '../src/vertex/service-account.ts';
import type { VertexAccess } from '../src/vertex/vertex-api.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import { keyFile, STRANGE_KEY } from './vertex-accounts.ts';

/** Returns the account's key file at the fake; for another key than the fake's, one with a key of nobody. */
export function vertexKeyFile(fake: FakeUpstream, key = fake.key): string {
  return keyFile(`${fake.url}/token`, key === fake.key ? key : STRANGE_KEY);
}

/** Returns the credentials with which an engine signs in at the fake. */
export function vertexAccess(fake: FakeUpstream, key: string): VertexAccess {
  const account = readServiceAccount(vertexKeyFile(fake, key));
  assert.ok(account !== null);
  return { account, location: 'global', url: fake.url };
}
