import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testSigning } from '@darkroom-service/testing/samples';
import { ConfigFault } from '../../../src/service/config/config-fault.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { readIdentity } from './signing-identity.ts';

const folder = await mkdtemp(join(tmpdir(), 'signing-'));
wholeFile.after(() => rm(folder, { recursive: true }));
const [{ certificates, key }, other] = [await testSigning('ES256'), await testSigning('Ed25519')];
const now = Date.now();
const setting = 'c2pa';

test('certificates and key are read from files or from their texts, of either algorithm', async () => {
  const [certificatePath, keyPath] = [join(folder, 'certificates.pem'), join(folder, 'key.pem')];
  await writeFile(certificatePath, certificates);
  await writeFile(keyPath, key);
  const fromFiles = readIdentity({ setting, certificate: certificatePath, key: keyPath }, now);
  assert.deepEqual(fromFiles, readIdentity({ setting: null, certificate: certificates, key }, now));
  assert.deepEqual([fromFiles?.certificates, fromFiles?.key], [certificates, key]);
  assert.ok(readIdentity({ setting, certificate: other.certificates, key: other.key }, now) !== null);
  assert.equal(readIdentity({ setting: 'metadata', certificate: null, key: null }, now), null);
});

test('what cannot sign is refused with its variable, and the key is never repeated', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp521r1' });
  const strange = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const month = 31 * 86_400_000;
  for (const [certificate, wrongKey, expected, at] of [
    [null, null, /CERTIFICATE: expected with DARKROOM_PROVENANCE=c2pa/, now],
    [certificates, null, /KEY: expected together with/, now],
    [null, key, /CERTIFICATE: expected together with/, now],
    [certificates, other.key, /KEY: the key does not belong/, now],
    [certificates, strange, /KEY: expected a P-256 or Ed25519 key; found secp521r1/, now],
    [certificates, 'MIGHAgEAMBMG', /KEY: expected a readable file, or PEM .* \(ENOENT\)/, now],
    [key, key, /CERTIFICATE: expected a chain of certificates/, now],
    [certificates, key, /CERTIFICATE: expected a certificate that is valid now, found one from/, now + month],
  ] as const)
    assert.throws(
      () => readIdentity({ setting, certificate, key: wrongKey }, at),
      (error) =>
        error instanceof ConfigFault &&
        expected.test(error.message) &&
        !error.message.includes(`${wrongKey}`.split('\n')[1] ?? 'MIGHAgEAMBMG'),
      `${expected}`,
    );
});
