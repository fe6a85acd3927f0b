import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createVault } from '../../../src/base/vault.ts';
import { type Binding, doOnce } from '../../../src/database/deeds.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { listPublicKeys, openSigningKey, retireKeys, signDocument } from './receipt-keys.ts';
import type { PublicKeys } from './receipt-wire.ts';

/** Node 26.10's `JSON.parse` reads a name that is one escaped character as a backslash. */
const MISREAD_NAME = /"\\(?:u[\da-f]{4}|[^u])":/;
const documents = fc
  .dictionary(fc.string(), fc.jsonValue())
  .filter((document) => !MISREAD_NAME.test(JSON.stringify(document)));
const act = { actor: 'test', now: 1, createId: (prefix: string) => `${prefix}_${randomBytes(4).toString('hex')}` };

/** As a stranger verifies, who has the key set only. @returns the document; null if it is not genuine */
function verified(jws: string, { keys }: PublicKeys): object | null {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const jwk = keys.find(({ kid }) => kid === parse(header).kid);
  if (jwk === undefined) return null;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isGenuine = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  return isGenuine ? parse(payload) : null;
}

forEachDatabase((kind) => {
  test('a signed document is read back as it was, is the same whatever the order of its fields, and shows any change', async (t) => {
    const { services } = await openTestServices(t, kind);
    const key = await openSigningKey(kernelOf(services), null);
    const keys = await listPublicKeys(services.database.read);
    fc.assert(
      fc.property(documents, fc.nat(), (document, place) => {
        const jws = signDocument(document, key);
        assert.deepEqual(verified(jws, keys), JSON.parse(JSON.stringify(document)));
        const turned = Object.fromEntries(Object.entries(document).toReversed());
        assert.equal(signDocument(turned, key), jws);
        const [header = '', payload = '', signature = ''] = jws.split('.');
        const at = place % payload.length;
        const other = payload[at] === 'A' ? 'B' : 'A';
        const changed = `${payload.slice(0, at)}${other}${payload.slice(at + 1)}`;
        assert.equal(verified([header, changed, signature].join('.'), keys), null);
      }),
    );
  });

  test('processes that need the first key at the same time make one', async (t) => {
    const { services, openAnother } = await openTestServices(t, kind);
    const processes = [services, await openAnother(), await openAnother()];
    const made = await Promise.all(processes.map((process) => openSigningKey(kernelOf(process), null)));
    assert.equal(new Set(made.map(({ kid }) => kid)).size, 1);
    assert.equal((await listPublicKeys(services.database.read)).keys.length, 1);
  });

  test('a sealed key opens with the key that sealed it or the one after, and is replaced when neither is there', async (t) => {
    const { services } = await openTestServices(t, kind);
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const sealed = await openSigningKey(kernelOf(services), createVault(first, null));
    const { read } = services.database;
    const stored = await read.first(read.builder.selectFrom('receipt_keys').select('secret'));
    const { d = '' } = sealed.key.export({ format: 'jwk' });
    assert.ok(d.length > 0 && !stored?.secret?.includes(d));
    assert.equal((await openSigningKey(kernelOf(services), createVault(second, first))).kid, sealed.kid);
    const replaced = await openSigningKey(kernelOf(services), createVault(second, null));
    assert.notEqual(replaced.kid, sealed.kid);
    // Each process goes on with the key that it can open, and makes no other.
    assert.equal((await openSigningKey(kernelOf(services), createVault(first, null))).kid, sealed.kid);
    assert.equal((await openSigningKey(kernelOf(services), createVault(second, null))).kid, replaced.kid);
    assert.equal((await listPublicKeys(read)).keys.length, 2);
  });

  test('a rotation leaves no private key, and the public ones still verify', async (t) => {
    const { services } = await openTestServices(t, kind);
    const { database } = services;
    const before = await openSigningKey(kernelOf(services), null);
    const jws = signDocument({ a: 1 }, before);
    const deed = { scope: 'admin', key: 'k', fingerprint: 'f' };
    const steps = {
      make: (binding: Binding) => retireKeys(database, { ...act, binding }),
      again: async (subject: string) => ({ retired: subject.split(' ') }),
    };
    for (const replayed of [false, true]) {
      const answer = { retired: [before.kid] };
      assert.deepEqual(await doOnce({ database, now: act.now }, deed, steps), { answer, replayed });
    }
    const kept = database.read.builder.selectFrom('receipt_keys').select('kid').where('secret', 'is not', null);
    assert.deepEqual(await database.read.all(kept), []);
    const after = await openSigningKey(kernelOf(services), null);
    assert.notEqual(after.kid, before.kid);
    const keys = await listPublicKeys(database.read);
    assert.deepEqual(verified(jws, keys), { a: 1 });
    assert.deepEqual(verified(signDocument({ a: 2 }, after), keys), { a: 2 });
  });
});
