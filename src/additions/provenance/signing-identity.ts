import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigFault } from '../../service/config/config-fault.ts';
import type { ProvenanceConfig } from '../../service/config/provenance-variables.ts';

const CERTIFICATE = 'DARKROOM_PROVENANCE_CERTIFICATE';
const KEY = 'DARKROOM_PROVENANCE_KEY';
const PEM = /^-----BEGIN /;
const ONE_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** What manifests are signed with. */
export interface SigningIdentity {
  /** In PEM, the signer's first. */
  readonly certificates: string;
  /** In PEM (PKCS #8). */
  readonly key: string;
  readonly algorithm: 'ES256' | 'Ed25519';
  /** Milliseconds since 1970. */
  readonly validUntil: number;
}

/**
 * Reads the certificates and the key of the settings; null if there are none.
 * @throws ConfigFault if they cannot be used. It never contains the key.
 */
export function readIdentity({ setting, certificate, key }: ProvenanceConfig, now: number): SigningIdentity | null {
  if (certificate === null && key === null) {
    if (setting === 'c2pa') throw fault(CERTIFICATE, 'expected with DARKROOM_PROVENANCE=c2pa, found nothing');
    return null;
  }
  if (certificate === null) throw fault(CERTIFICATE, `expected together with ${KEY}, found nothing`);
  if (key === null) throw fault(KEY, `expected together with ${CERTIFICATE}, found nothing`);
  const chain = readPem(CERTIFICATE, certificate).match(ONE_CERTIFICATE) ?? [];
  const [first] = chain.map(readCertificate);
  if (first === undefined) throw fault(CERTIFICATE, 'expected certificates in PEM, found none');
  const privateKey = readKey(readPem(KEY, key));
  const algorithm = algorithmOf(privateKey);
  if (algorithm === null) throw fault(KEY, 'expected a key of P-256 (ES256) or Ed25519, found another kind');
  if (!first.checkPrivateKey(privateKey))
    throw fault(KEY, `expected the key of the first certificate of ${CERTIFICATE}`);
  const validUntil = first.validToDate.getTime();
  if (now < first.validFromDate.getTime() || now > validUntil)
    throw fault(CERTIFICATE, `expected a valid certificate, found one for ${first.validFrom} to ${first.validTo}`);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificates: chain.join('\n'), key: pem, algorithm, validUntil };
}

function readPem(variable: string, value: string): string {
  if (PEM.test(value)) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch (error) {
    // A key without its first line would look like a path, so that it is not repeated.
    const why = (error as NodeJS.ErrnoException).code;
    throw fault(variable, `expected a readable file, or PEM that begins with -----BEGIN (${why})`);
  }
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw fault(CERTIFICATE, 'expected certificates in PEM, found one that cannot be read');
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw fault(KEY, 'expected a private key in PEM without a passphrase, found something else');
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SigningIdentity['algorithm'] | null {
  if (asymmetricKeyType === 'ed25519') return 'Ed25519';
  return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ES256' : null;
}

function fault(variable: string, message: string): ConfigFault {
  return new ConfigFault([{ variable, message }]);
}
