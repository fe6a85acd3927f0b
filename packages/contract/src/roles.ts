/** Roles of a person in an account, the lowest first. */
export const ACCOUNT_ROLES = ['viewer', 'finance', 'creator', 'manager'] as const;
/** Roles of a person for the whole service, the lowest first. */
export const OPERATOR_ROLES = ['operator', 'owner'] as const;
export const ROLES = [...ACCOUNT_ROLES, ...OPERATOR_ROLES] as const;

export type AccountRole = (typeof ACCOUNT_ROLES)[number];
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export type AnyRole = AccountRole | OperatorRole;

/** Account id that stands for the operators. */
export const OPERATORS = '';

export function isRoleOf(accountId: string, role: string): role is AnyRole {
  const roles: readonly string[] = accountId === OPERATORS ? OPERATOR_ROLES : ACCOUNT_ROLES;
  return roles.includes(role);
}

export function higherRole(one: AnyRole, other: AnyRole): AnyRole {
  return ROLES.indexOf(one) >= ROLES.indexOf(other) ? one : other;
}
