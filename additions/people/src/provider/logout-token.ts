import type { JWTPayload } from 'jose';
import { readName } from './claims.ts';
import { ProviderFault } from './provider-fault.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A provider's logout: of all sessions of a person, or of one session. */
export interface LogoutToken {
  readonly subject: string | null;
  readonly sid: string | null;
  /** Id of the token, so that it works once; null = the provider gives none. */
  readonly id: string | null;
}

/** Reads the claims of a logout token whose signature is checked. @throws ProviderFault if it is not a logout token */
export function readLogoutToken(payload: JWTPayload): LogoutToken {
  // Its content is only signed, not checked: a claim may be any JSON.
  const { events, nonce } = payload as Readonly<Record<string, unknown>>;
  const [subject, sid, id] = [payload.sub, payload.sid, payload.jti].map(readName);
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const isNamed = subject !== null || sid !== null;
  if (!isLogout || nonce !== undefined || !isNamed || subject === undefined || sid === undefined || id === undefined)
    throw new ProviderFault('refused', 'The token is not a logout token.');
  return { subject, sid, id };
}
