import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { world } from '@darkroom-service/contract';

/** Seals secrets of customers with the operator's key, so that the database alone does not reveal them. */
export interface Vault {
  /** Names the operator's key that seals, without revealing it. */
  readonly keyId: string;
  /** @param subject record that the secret belongs to; the secret opens for no other */
  seal(secret: string, subject: string): string;
  /** Tells whether the key that sealed a secret is available, without opening the secret. */
  hasKeyOf(sealed: string): boolean;
  /** Tells whether the operator's present key sealed a secret, rather than an earlier one. */
  isCurrent(sealed: string): boolean;
  /** @throws SealFault */
  open(sealed: string, subject: string): string;
  /** Reseals a secret of an earlier key with the present one; null if it has the present one or cannot be opened. */
  sealAgain(sealed: string, subject: string): string | null;
}

/** A secret that cannot be opened with the operator's present keys. */
export class SealFault extends Error {}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const VERSION = '1';

/** Reads a key of the operator: 32 bytes in base64; null for anything else. */
export function readVaultKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : null;
}

/** Returns the id of the operator's key that sealed a secret. */
function sealedWith(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

/**
 * Creates a vault that seals and opens secrets.
 * @param previous an earlier key of the operator, for reading only; null = none
 */
export function createVault(current: Buffer, previous: Buffer | null): Vault {
  const keyId = idOf(current);
  const keys = new Map([...(previous === null ? [] : [[idOf(previous), previous] as const]), [keyId, current]]);
  const vault: Vault = {
    keyId,
    seal(secret, subject) {
      const nonce = Buffer.from(world.randomBytes(NONCE_BYTES));
      const cipher = createCipheriv(CIPHER, current, nonce).setAAD(associatedData(keyId, subject));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    hasKeyOf: (sealed) => keys.has(sealedWith(sealed)),
    isCurrent: (sealed) => sealedWith(sealed) === keyId,
    open(sealed, subject) {
      const [version, sealer = '', nonce = '', text = ''] = sealed.split('.');
      const key = keys.get(sealer);
      if (version !== VERSION || key === undefined)
        throw new SealFault(`sealed with the operator's key ${sealer}, which this process does not have`);
      const bytes = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES })
          .setAAD(associatedData(sealer, subject))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch {
        throw new SealFault('the sealed text was changed, or belongs to another record');
      }
    },
    sealAgain(sealed, subject) {
      if (vault.isCurrent(sealed)) return null;
      try {
        return vault.seal(vault.open(sealed, subject), subject);
      } catch (error) {
        if (error instanceof SealFault) return null;
        throw error;
      }
    },
  };
  return vault;
}

/** Creates a vault with a secret of the installation. @param secret in base64url */
export function vaultWith(secret: string): Vault {
  return createVault(Buffer.from(secret, 'base64url'), null);
}

function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function associatedData(keyId: string, subject: string): Buffer {
  return Buffer.from(JSON.stringify(['darkroom secret', VERSION, keyId, subject]));
}
