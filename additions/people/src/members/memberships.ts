import { type AnyRole, higherRole, isRoleOf } from '@darkroom-service/contract';
import type { Session, Transaction } from '@darkroom-service/darkroom/kernel';
import { endBearers } from '../session/person-keys.ts';

/** A person's role in one account, or as an operator. */
export interface Membership {
  /** Account, or `OPERATORS` for the service. */
  readonly accountId: string;
  readonly role: AnyRole;
}

/** Lists the memberships of a person that are in force, by account. */
export async function membershipsOf(session: Session, personId: string): Promise<Membership[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('memberships')
      .select(['account_id', 'role'])
      .where('person_id', '=', personId)
      .orderBy('account_id'),
  );
  const roles = new Map<string, AnyRole>();
  for (const { account_id: accountId, role } of rows)
    roles.set(accountId, higherRole(role, roles.get(accountId) ?? role));
  return [...roles].map(([accountId, role]) => ({ accountId, role }));
}

/**
 * Gives a person exactly these memberships by the provider's groups; those by invitation stay. Bearers of a role that
 * changes end.
 * @returns whether anything has changed
 */
export async function setGroupMemberships(
  trx: Transaction,
  personId: string,
  wanted: readonly Membership[],
  now: number,
): Promise<boolean> {
  const { builder } = trx;
  const before = await membershipsOf(trx, personId);
  const known = await trx.all(
    builder
      .selectFrom('memberships')
      .select(['account_id', 'role'])
      .where('person_id', '=', personId)
      .where('source', '=', 'group')
      .orderBy('account_id'),
  );
  const rows = await existing(trx, wanted);
  const told = (one: readonly { readonly account_id: string; readonly role: string }[]) =>
    JSON.stringify(one.map(({ account_id, role }) => [account_id, role]));
  if (told(known) === told(rows)) return false;
  await trx.run(builder.deleteFrom('memberships').where('person_id', '=', personId).where('source', '=', 'group'));
  if (rows.length > 0)
    await trx.run(
      builder
        .insertInto('memberships')
        .values(rows.map((row) => ({ person_id: personId, source: 'group' as const, ...row, created_at: now }))),
    );
  await endChangedBearers(trx, personId, before);
  return true;
}

/** Ends the bearers of every account in which the role has changed. */
export async function endChangedBearers(
  trx: Transaction,
  personId: string,
  before: readonly Membership[],
): Promise<void> {
  const after = new Map((await membershipsOf(trx, personId)).map(({ accountId, role }) => [accountId, role]));
  for (const { accountId, role } of before)
    if (after.get(accountId) !== role) await endBearers(trx, personId, accountId);
}

/** Returns the memberships whose accounts exist. Rules may name accounts that do not. */
async function existing(trx: Transaction, wanted: readonly Membership[]) {
  const named = wanted.map(({ accountId }) => accountId).filter((id) => id !== '');
  const accounts =
    named.length === 0
      ? []
      : await trx.all(
          trx.builder
            .selectFrom('accounts')
            .select('id')
            .where('id', 'in', [...new Set(named)]),
        );
  const known = new Set(['', ...accounts.map(({ id }) => id)]);
  const roles = new Map<string, AnyRole>();
  for (const { accountId, role } of wanted)
    if (known.has(accountId) && isRoleOf(accountId, role))
      roles.set(accountId, higherRole(role, roles.get(accountId) ?? role));
  return [...roles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([accountId, role]) => ({ account_id: accountId, role }));
}
