import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeText } from '@darkroom-service/contract';

/** A service account of Google Cloud, as its key file describes it. */
export interface ServiceAccount {
  readonly email: string;
  /** The private key in PEM. */
  readonly privateKey: string;
  readonly keyId: string | null;
  readonly project: string;
  /** The URL that issues tokens. */
  readonly tokenUrl: string;
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token';

/**
 * Reads a service account's key file.
 * @param given the file's JSON, or its path
 * @returns the account; null if it is invalid. A reason could repeat parts of the key, so none is given.
 */
export function readServiceAccount(given: string): ServiceAccount | null {
  try {
    const text = given.trim().startsWith('{') ? given : decodeText(readFileSync(given), 'the key file');
    const found = JSON.parse(text) as Record<string, unknown>;
    const { client_email: email, private_key: privateKey, private_key_id: keyId, project_id: project } = found;
    const { token_uri: tokenUrl = TOKEN_URL } = found;
    if (typeof email !== 'string' || typeof privateKey !== 'string' || typeof project !== 'string') return null;
    // The project is a part of each path.
    if (!/^[\w.:-]+$/.test(project) || typeof tokenUrl !== 'string' || !/^https?:/.test(tokenUrl)) return null;
    if (createPrivateKey(privateKey).asymmetricKeyType !== 'rsa') return null;
    return { email, privateKey, keyId: typeof keyId === 'string' ? keyId : null, project, tokenUrl };
  } catch {
    return null;
  }
}
