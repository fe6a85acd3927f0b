import { hash } from 'node:crypto';

/** Returns the stored form of a secret that nobody can guess: its SHA-256, hex. A slow hash is not needed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
