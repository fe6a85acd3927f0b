import { canonicalName, cleanText, cutText, isCleanText } from '@darkroom-service/contract';
import type { IDToken, UserInfoResponse } from 'openid-client';

/** A person's claims from the provider. */
export interface Claims {
  readonly email: string | null;
  /** Whether the provider confirms that the address is verified; null = it does not say. */
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly groups: readonly string[];
}

/** Returns a name given by the provider; null = none given; undefined = no text that can be stored. */
export function readName(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && value !== '' && isCleanText(value) ? value : undefined;
}

/**
 * Reads the claims of a person; those of the user info come first.
 * @param groupsClaim the claim with the groups, as `findClaim` finds it
 */
export function claimsOf(idToken: IDToken | null, userInfo: UserInfoResponse, groupsClaim: string): Claims {
  const text = (name: 'name' | 'preferred_username') => {
    const value = userInfo[name] ?? idToken?.[name];
    return typeof value === 'string' && value !== '' ? cleanText(cutText(value, 200)) : null;
  };
  const [source, other] = userInfo.email == null ? [idToken, userInfo] : [userInfo, idToken];
  // An address names a person, so it is not cleaned: a changed one would be somebody else's.
  const [email, otherEmail] = [source?.email, other?.email].map((value) => readName(value)?.toLowerCase() ?? null);
  const isOfSame = email !== null && email === otherEmail;
  return {
    email: email == null ? null : cutText(email, 200),
    emailVerified: readFlag(source?.email_verified) ?? (isOfSame ? readFlag(other?.email_verified) : null),
    name: text('name') ?? text('preferred_username'),
    groups: namesIn(findClaim(userInfo, groupsClaim) ?? findClaim(idToken, groupsClaim)),
  };
}

/** Returns the reason why an address cannot be used as a name; null = it is verified. */
export function whyUnverified({ email, emailVerified }: Pick<Claims, 'email' | 'emailVerified'>): string | null {
  if (email === null) return 'The provider names no address.';
  if (emailVerified === null) return 'The provider does not say that the address is verified.';
  return emailVerified ? null : 'The provider says that the address is not verified.';
}

/**
 * Finds a claim by its name or, if no claim has it, by the names that lead to it, separated by dots:
 * `realm_access.roles`. Of names that have dots themselves, the longest comes first.
 */
export function findClaim(claims: unknown, path: string): unknown {
  if (!isObject(claims)) return undefined;
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot);
    const found = Object.hasOwn(claims, name) ? findClaim(claims[name], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Reads a list of names, a single name, or an object with a name for each object in it, as Zitadel sends roles. Names
 * are in the form by which they are compared.
 */
function namesIn(value: unknown): string[] {
  const names: readonly unknown[] = isObject(value)
    ? Object.keys(value).filter((name) => isObject(value[name]))
    : Array.isArray(value)
      ? value
      : [value];
  return names
    .filter((name): name is string => typeof name === 'string' && name !== '' && isCleanText(name))
    .map(canonicalName);
}

/** Reads a flag, which some providers send as text (Cognito). Null: missing, or neither. */
function readFlag(value: unknown): boolean | null {
  const word = typeof value === 'string' ? value.toLowerCase() : typeof value === 'boolean' ? String(value) : null;
  return word === 'true' ? true : word === 'false' ? false : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
