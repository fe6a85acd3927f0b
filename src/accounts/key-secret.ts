import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { world } from '@darkroom-service/contract';
import type { ApiKey } from './api-key.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of random characters; 30 characters of base 62 contain 178 bits. */
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
/** Bytes from here on are discarded, so that every character is equally likely. */
const FAIR_BYTES = 248;
const SHAPE = /^dk_(live|test|admin)_[0-9A-Za-z]{36,40}$/;

/**
 * Creates a secret: `dk_<mode>_`, the name of the cell, 30 random characters, and a checksum of 6 characters over all
 * that precedes it.
 */
export function createSecret(mode: ApiKey['mode'], cell: string | null): string {
  const body = `dk_${mode}_${cell ?? ''}${randomText(RANDOM_CHARACTERS)}`;
  return body + checksum(body);
}

/** Returns the mode in a secret without a look-up; null if it is mistyped, truncated or not one of our secrets. */
export function parseKey(text: string): { readonly mode: ApiKey['mode'] } | null {
  const match = SHAPE.exec(text);
  if (match === null || checksum(text.slice(0, -CHECKSUM_CHARACTERS)) !== text.slice(-CHECKSUM_CHARACTERS)) return null;
  return { mode: match[1] as ApiKey['mode'] };
}

/** Returns the stored form of a secret: SHA-256, hex. A secret has 178 random bits, so a slow hash is not needed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of world.randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let characters = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place++) {
    characters = ALPHABET[rest % ALPHABET.length] + characters;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return characters;
}
