import { cleanText, cutText, isCleanText } from '@darkroom-service/contract';
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
  const claim = (name: 'email' | 'name' | 'preferred_username') => userInfo[name] ?? idToken?.[name];
  const text = (name: 'name' | 'preferred_username') => {
    const value = claim(name);
    return typeof value === 'string' && value !== '' ? cleanText(cutText(value, 200)) : null;
  };
  // An address names a person, so it is not cleaned: another one would be somebody else's.
  const email = readName(claim('email'));
  const groups = userInfo.groups ?? idToken?.groups;
  const verified = userInfo.email === undefined ? idToken?.email_verified : userInfo.email_verified;
  return {
    email: email == null ? null : cutText(email, 200).toLowerCase(),
    emailVerified: verified === true,
    name: text('name') ?? text('preferred_username'),
    groups: Array.isArray(groups)
      ? groups.filter((group): group is string => typeof group === 'string' && isCleanText(group))
      : [],
  };
}
