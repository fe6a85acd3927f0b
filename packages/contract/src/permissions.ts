import type { AnyRole } from './roles.ts';

/** A line of the table in docs/roles.md: what one may do, and the roles that may. */
interface Permission {
  readonly action: string;
  readonly roles: readonly AnyRole[];
}

const SEEING = ['viewer', 'creator', 'manager'] as const;
const ORDERING = ['creator', 'manager'] as const;
const SPENDING = ['finance', 'creator', 'manager'] as const;
const MEMBERS = ['viewer', 'finance', 'creator', 'manager'] as const;
const OPERATING = ['operator', 'owner'] as const;

/**
 * The permissions of people, in the order of docs/roles.md. Each operation names one where it is declared. API keys
 * have rules of their own.
 */
export const PERMISSIONS = {
  read_public: { action: 'read what is public', roles: [...MEMBERS, ...OPERATING] },
  see_account: { action: 'see the account and its models', roles: MEMBERS },
  see_all_orders: { action: 'see the orders of everybody in the account', roles: SEEING },
  see_own_orders: { action: 'see your own orders, files and share links', roles: SEEING },
  order: { action: 'order, cancel, delete, tag and share', roles: ORDERING },
  see_spending: { action: 'see usage, ledger and receipts', roles: SPENDING },
  set_up: { action: 'set up webhooks, destinations and upstream keys', roles: ['manager'] },
  manage_keys: { action: 'manage the keys of the account', roles: ['manager'] },
  manage_members: { action: 'manage the members of the account and their limits', roles: ['manager'] },
  act_for_end_users: { action: 'act for end users (only API keys)', roles: [] },
  observe: { action: 'observe the service', roles: OPERATING },
  run: {
    action: 'run the service: pause, resume, resolve, refund, show examples, revoke a key, end sessions',
    roles: OPERATING,
  },
  manage_accounts: { action: 'create accounts and change their terms and credit', roles: ['owner'] },
  // An admin key has every right, so anyone who issues keys has every right too.
  issue_keys: { action: 'issue, change and rotate any key, and rotate signing secrets', roles: ['owner'] },
  export_and_erase: { action: 'export and erase what is stored of an account or an end user', roles: ['owner'] },
  manage_people: { action: 'invite, change and remove people and operators', roles: ['owner'] },
} as const satisfies Readonly<Record<string, Permission>>;

/** The roles that may call an operation: those of a permission, or a list. */
export type OperationRoles = keyof typeof PERMISSIONS | readonly AnyRole[];

/** Tells whether a role is among those that may call an operation. */
export function isAllowed(role: string, roles: OperationRoles): boolean {
  const allowed: readonly string[] = typeof roles === 'string' ? PERMISSIONS[roles].roles : roles;
  return allowed.includes(role);
}

/** Tells whether a role gets answers to `scope=account`: the spending of the whole account, and its set-up. */
export function seesWholeAccount(role: AnyRole): boolean {
  return role === 'manager' || role === 'finance' || role === 'owner' || role === 'operator';
}
