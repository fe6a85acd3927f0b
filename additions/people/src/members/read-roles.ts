import { type AnyRole, isRoleOf, OPERATORS } from '@darkroom-service/contract';
import type { PeopleConfig } from '../people-settings.ts';
import type { Claims } from '../provider/claims.ts';
import type { Membership } from './memberships.ts';

/** Returns a person's memberships by groups; null = the operator's settings do not admit them at all. */
export type ReadRoles = (claims: Claims) => Membership[] | null;

export function rolesBy({ domains, rules }: Pick<PeopleConfig, 'domains' | 'rules'>): ReadRoles {
  return ({ email, emailVerified, groups }) => {
    const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
    if (domains.length > 0 && !(emailVerified === true && domains.includes(domain))) return null;
    return rules
      .filter(({ group }) => groups.includes(group))
      .map(({ role, accountId }) => ({ accountId: accountId ?? OPERATORS, role: role as AnyRole }))
      .filter(({ accountId, role }) => isRoleOf(accountId, role));
  };
}
