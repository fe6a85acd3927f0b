import { createPrivateKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import {
  type Act,
  type Kernel,
  recordAct,
  type Schema,
  SealFault,
  type Session,
  type Vault,
} from '@darkroom-service/darkroom/kernel';
import canonicalize from 'canonicalize';
import type { Selectable } from 'kysely';
import type { KeyRetirement, PublicKeys } from './receipt-wire.ts';

type KeyRow = Selectable<Schema['receipt_keys']>;

/** Key that currently signs receipts. */
export interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** Returns the canonical JSON (RFC 8785) of a document. */
const canonicalJson = (document: object) => canonicalize(document) ?? 'null';

const CURVE = { crv: 'Ed25519', kty: 'OKP' } as const;

/** Signs a document: a compact JWS whose payload is canonical JSON, so that equal documents have equal signatures. */
export function signDocument(document: object, { kid, key }: SigningKey): string {
  const parts = [{ alg: 'EdDSA', kid }, document].map((part) => Buffer.from(canonicalJson(part)).toString('base64url'));
  const signed = parts.join('.');
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * Returns the newest key that this process can open. If there is none, makes one: at the first receipt, after a
 * rotation, and if the operator's key that sealed the last one is gone.
 * @param vault null = the operator has set no key; the new key is then stored like the other signing secrets
 */
export async function openSigningKey(
  { store, clock }: Pick<Kernel, 'clock' | 'store'>,
  vault: Vault | null,
): Promise<SigningKey> {
  const found = await findSigningKey(store.read, vault);
  if (found !== null) return found;
  return await store.write('make_receipt_key', async (trx) => {
    await trx.lock('receipt_keys');
    const other = await findSigningKey(trx, vault);
    if (other !== null) return other;
    const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const kid = hash('sha256', canonicalJson({ ...CURVE, x }), 'base64url');
    const row = { kid, x, secret: vault?.seal(d, subjectOf(kid)) ?? d, created_at: clock.now() };
    await trx.run(trx.builder.insertInto('receipt_keys').values(row));
    return { kid, key: privateKeyOf(x, d) };
  });
}

/** Returns the public keys of all receipts, newest first. */
export async function listPublicKeys(session: Session): Promise<PublicKeys> {
  const rows = await readKeys(session);
  return { keys: rows.map(({ kid, x }) => ({ ...CURVE, x, kid, alg: 'EdDSA', use: 'sig' })) };
}

/** Erases the private keys, so that the next receipt is signed with a new key. The public ones stay. */
export async function retireKeys(store: Pick<Kernel['store'], 'write'>, by: Act): Promise<KeyRetirement> {
  return await store.write('retire_receipt_keys', async (trx) => {
    const retired = (await readKeys(trx)).filter(({ secret }) => secret !== null).map(({ kid }) => kid);
    await by.binding?.within(trx, retired.join(' '));
    await trx.lock('receipt_keys');
    if (retired.length > 0)
      await trx.run(trx.builder.updateTable('receipt_keys').set({ secret: null }).where('kid', 'in', retired));
    if (retired.length > 0) await recordAct(trx, by, { act: 'receipt_keys.rotate', target: null, detail: { retired } });
    return { retired };
  });
}

async function findSigningKey(session: Session, vault: Vault | null): Promise<SigningKey | null> {
  for (const row of await readKeys(session)) {
    const secret = openSecret(row, vault);
    if (secret !== null) return { kid: row.kid, key: privateKeyOf(row.x, secret) };
  }
  return null;
}

async function readKeys(session: Session): Promise<KeyRow[]> {
  return await session.all(
    session.builder.selectFrom('receipt_keys').selectAll().orderBy('created_at', 'desc').orderBy('kid'),
  );
}

function openSecret({ kid, secret }: KeyRow, vault: Vault | null): string | null {
  // Base64url has no dots, and everything sealed has some.
  if (secret === null || !secret.includes('.')) return secret;
  try {
    return vault?.open(secret, subjectOf(kid)) ?? null;
  } catch (error) {
    if (error instanceof SealFault) return null;
    throw error;
  }
}

function privateKeyOf(x: string, d: string): KeyObject {
  return createPrivateKey({ key: { ...CURVE, x, d }, format: 'jwk' });
}

function subjectOf(kid: string): string {
  return `receipt key ${kid}`;
}
