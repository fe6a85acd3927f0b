import { hash } from 'node:crypto';
import { world } from '@darkroom-service/contract';

/** The keys to which a sign-in link leads, one of each kind. */
type LinkedKeys = Readonly<Record<'test' | 'live' | 'admin', string>>;

/** Valid sign-in links. They live in memory only: a restart ends them. */
export interface ConsoleSessions {
  /** @returns a token that can be traded for these keys once, within 15 minutes. */
  offer(keys: LinkedKeys): string;
  /** Trades a token for its keys; null if it is not known, used, or too old. */
  redeem(token: string): LinkedKeys | null;
}

export const SIGN_IN_LINK_MS = 15 * 60 * 1000;
const TOKEN_BYTES = 24;

export function createConsoleSessions({ now }: { readonly now: () => number }): ConsoleSessions {
  const offers = new Map<string, { readonly keys: LinkedKeys; readonly expiresAt: number }>();
  return {
    offer(keys) {
      const token = Buffer.from(world.randomBytes(TOKEN_BYTES)).toString('base64url');
      offers.set(nameOf(token), { keys, expiresAt: now() + SIGN_IN_LINK_MS });
      return token;
    },
    redeem(token) {
      const name = nameOf(token);
      const offer = offers.get(name);
      offers.delete(name);
      return offer !== undefined && now() < offer.expiresAt ? offer.keys : null;
    },
  };
}

/**
 * Returns the hash by which a token is looked up, so that the duration of a look-up reveals nothing about the token.
 */
function nameOf(token: string): string {
  return hash('sha256', token);
}
