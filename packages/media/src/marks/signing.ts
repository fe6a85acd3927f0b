import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** The certificates and the key that sign manifests. */
export interface Signing {
  /** PEM: the signer's certificate, then those that lead to the root. */
  readonly certificates: string;
  /** PEM of a private key: P-256 or Ed25519. */
  readonly key: string;
}

/** Splits a chain of certificates in PEM. */
export function certificatesOf({ certificates }: Signing): readonly string[] {
  return certificates.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Returns the COSE algorithm of a key; null if manifests cannot be signed with it. */
export function algorithmOf(key: KeyObject): 'ES256' | 'Ed25519' | null {
  if (key.asymmetricKeyType === 'ed25519') return 'Ed25519';
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ES256' : null;
}

/** Returns the reason for which nothing can be signed with these, without a part of the key; null if it can. */
export function signingFault(signing: Signing): string | null {
  const [first] = certificatesOf(signing);
  if (first === undefined) return 'expected a chain of certificates in PEM, the signer’s first; found none';
  try {
    const key = createPrivateKey(signing.key);
    if (algorithmOf(key) === null)
      return `expected a P-256 or Ed25519 key; found ${key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType}`;
    return new X509Certificate(first).checkPrivateKey(key) ? null : 'the key does not belong to the first certificate';
  } catch {
    return 'the first certificate or the key is not valid PEM';
  }
}
