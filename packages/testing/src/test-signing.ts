import { createPrivateKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

type KeyPair = webcrypto.CryptoKeyPair;

const DAY_MS = 86_400_000;
const ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  Ed25519: { name: 'Ed25519' },
} as const;

/** A signer of C2PA manifests, with a root of its own. */
export interface TestSigning {
  /** PEM: the signer's certificate and the root. */
  readonly certificates: string;
  readonly root: string;
  readonly key: string;
}

/** Makes a key and a chain of certificates as C2PA requires them: for signing documents, valid for a month. */
export async function testSigning(algorithm: keyof typeof ALGORITHMS): Promise<TestSigning> {
  const signingAlgorithm = ALGORITHMS[algorithm];
  const pair = () => webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const [rootKeys, keys] = [await pair(), await pair()] as [KeyPair, KeyPair];
  const dates = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 30 * DAY_MS) };
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    serialNumber: '01',
    name: 'CN=Test root,O=Tests',
    signingAlgorithm,
    keys: rootKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  });
  const signer = await x509.X509CertificateGenerator.create({
    ...dates,
    serialNumber: '02',
    subject: 'CN=Test signer,O=Tests',
    issuer: root.subject,
    signingAlgorithm,
    signingKey: rootKeys.privateKey,
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.emailProtection], true),
      await x509.AuthorityKeyIdentifierExtension.create(rootKeys.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    certificates: `${signer.toString('pem')}\n${root.toString('pem')}\n`,
    root: `${root.toString('pem')}\n`,
    key: createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
      .export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  };
}
