import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigFault } from '@darkroom-service/darkroom/kernel';
import { certificatesOf, type Signing, signingFault } from '@darkroom-service/media';
import type { ProvenanceConfig } from './provenance-settings.ts';

const CERTIFICATE = 'DARKROOM_PROVENANCE_CERTIFICATE';
const KEY = 'DARKROOM_PROVENANCE_KEY';

export interface SigningIdentity extends Signing {
  /** End of the certificate, in milliseconds since 1970. */
  readonly validUntil: number;
}

/**
 * Reads the certificates and the key of the settings; null if there are none.
 * @throws ConfigFault if they cannot be used. The fault never contains the key.
 */
export function readIdentity({ setting, certificate, key }: ProvenanceConfig, now: number): SigningIdentity | null {
  if (certificate === null && key === null) {
    if (setting === 'c2pa') throw fault(CERTIFICATE, 'expected with DARKROOM_PROVENANCE=c2pa, found nothing');
    return null;
  }
  if (certificate === null) throw fault(CERTIFICATE, `expected together with ${KEY}, found nothing`);
  if (key === null) throw fault(KEY, `expected together with ${CERTIFICATE}, found nothing`);
  const signing = { certificates: readPem(CERTIFICATE, certificate), key: readPem(KEY, key) };
  const why = signingFault(signing);
  const [first] = certificatesOf(signing);
  if (why !== null || first === undefined) throw fault(first === undefined ? CERTIFICATE : KEY, `${why}`);
  const { validFrom, validFromDate, validTo, validToDate } = new X509Certificate(first);
  if (now < validFromDate.getTime() || now > validToDate.getTime())
    throw fault(CERTIFICATE, `expected a certificate that is valid now, found one from ${validFrom} to ${validTo}`);
  return { ...signing, validUntil: validToDate.getTime() };
}

function readPem(variable: string, value: string): string {
  if (value.startsWith('-----BEGIN ')) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch (error) {
    // The value is not repeated: it may be a key without its first line.
    const { code } = error as NodeJS.ErrnoException;
    throw fault(variable, `expected a readable file, or PEM that begins with -----BEGIN; found neither (${code})`);
  }
}

function fault(variable: string, message: string): ConfigFault {
  return new ConfigFault([{ variable, message }]);
}
