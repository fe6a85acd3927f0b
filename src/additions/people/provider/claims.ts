import { isCleanText } from '@darkroom-service/contract';
import type { IDToken, UserInfoResponse } from 'openid-client';

/** A person's claims from the provider. */
export interface Claims {
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
}

/** Returns a name that the provider gives; null = it gives none; undefined = it is no text that can be stored. */
export function readName(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && value !== '' && isCleanText(value) ? value : undefined;
}

export function claimsOf(idToken: IDToken | null, userInfo: UserInfoResponse): Claims {
  const text = (name: 'email' | 'name' | 'preferred_username') => {
    const value = userInfo[name] ?? idToken?.[name];
    const found = readName(value);
    return found == null ? null : found.slice(0, 200).toWellFormed();
  };
  const groups = userInfo.groups ?? idToken?.groups;
  const verified = userInfo.email === undefined ? idToken?.email_verified : userInfo.email_verified;
  return {
    email: text('email')?.toLowerCase() ?? null,
    emailVerified: verified === true,
    name: text('name') ?? text('preferred_username'),
    groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
  };
}
