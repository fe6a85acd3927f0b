import { type OwnLimits, setScopeLimits, viewScope } from '@darkroom-service/addition-common/limits/scope-limits';
import {
  type AccountRole,
  type AnyRole,
  cutText,
  higherRole,
  isoTime,
  isRoleOf,
  OPERATORS,
  ServiceError,
} from '@darkroom-service/contract';
import { type Act, type Kernel, recordAct, type Session, type Store } from '@darkroom-service/darkroom/kernel';
import { PERSON_KEY } from '@darkroom-service/darkroom/kernel-accounts';
import type { MemberView, PersonView } from '../people-wire.ts';
import { findPersonKey, personKey } from '../session/person-keys.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { endChangedBearers, membershipsOf } from './memberships.ts';

const NO_LIMITS = { day: null, month: null, total: null };

type Parts = Pick<Kernel, 'clock' | 'money' | 'store'>;

/** Lists the members of an account, by person. @param page.after a person_id */
export async function listMembers(
  kernel: Parts,
  accountId: string,
  page: { readonly limit: number; readonly after: string },
): Promise<{ readonly items: MemberView[]; readonly hasMore: boolean }> {
  const { read } = kernel.store;
  const rows = await read.all(
    read.builder
      .selectFrom('memberships')
      .select('person_id')
      .distinct()
      .where('account_id', '=', accountId)
      .where('person_id', '>', page.after)
      .orderBy('person_id')
      .limit(page.limit + 1),
  );
  const items = await Promise.all(
    rows.slice(0, page.limit).map(({ person_id }) => viewMember(kernel, accountId, person_id)),
  );
  return { items, hasMore: rows.length > page.limit };
}

/** Reads a member of an account. @throws ServiceError `not_found` */
export async function viewMember(kernel: Parts, accountId: string, personId: string): Promise<MemberView> {
  const { read } = kernel.store;
  const { builder } = read;
  const rows = await read.all(
    builder
      .selectFrom('memberships')
      .innerJoin('people', 'people.id', 'memberships.person_id')
      .select(['role', 'source', 'name', 'email', 'signed_in_at'])
      .where('person_id', '=', personId)
      .where('account_id', '=', accountId),
  );
  const [first] = rows;
  if (first === undefined) throw unknownMember(personId);
  const owner = { personId, accountId, mode: 'live' } as const;
  // A member who has ordered nothing may have no key yet, and no stored data of one.
  const { id = PERSON_KEY } = (await findPersonKey(read, owner)) ?? {};
  const key = { id, endUserLimits: NO_LIMITS, timezone: 'UTC' };
  const { limits, windows } = await viewScope(read, key, personId, kernel.money.spendingNow());
  return {
    person_id: personId,
    name: first.name,
    email: first.email,
    role: rows.map(({ role }) => role).reduce(higherRole) as AccountRole,
    by_group: rows.some(({ source }) => source === 'group'),
    limits,
    windows,
    signed_in_at: isoTime(first.signed_in_at),
  };
}

/** Limits the spending of a member on live orders. @throws ServiceError `not_found` */
export async function setMemberLimits(
  kernel: Parts,
  by: Act,
  accountId: string,
  personId: string,
  limits: OwnLimits,
): Promise<void> {
  await viewMember(kernel, accountId, personId);
  // The budget of a person is that of an end user of the key that only this person orders with.
  const key = await personKey(kernel, { personId, accountId, mode: 'live' });
  await setScopeLimits(kernel.store, by, key, personId, limits, {
    act: 'member.limit',
    target: personId,
    detail: { account_id: accountId },
  });
}

/**
 * Sets the role that an account, or the operators, give a person, beside those of groups; null = none.
 * @throws ServiceError `not_found` for an unknown person or account, `invalid_request` for a role of the other kind
 */
export async function setRole(
  store: Pick<Store, 'write'>,
  by: Act,
  personId: string,
  accountId: string,
  role: AnyRole | null,
): Promise<void> {
  if (role !== null && !isRoleOf(accountId, role))
    throw new ServiceError(
      'invalid_request',
      `'${role}' is not a role of ${accountId === OPERATORS ? 'operators' : 'an account'}.`,
      { param: 'role' },
    );
  await store.write('set_role', async (trx) => {
    const { builder } = trx;
    await trx.lock(`person:${personId}`);
    const person = await trx.first(builder.selectFrom('people').select('id').where('id', '=', personId));
    if (person === undefined) throw unknownMember(personId);
    if (accountId !== OPERATORS) {
      const account = await trx.first(builder.selectFrom('accounts').select('id').where('id', '=', accountId));
      if (account === undefined)
        throw new ServiceError('not_found', `There is no account '${accountId}'.`, { param: 'account_id' });
    }
    const before = await membershipsOf(trx, personId);
    const membership = { person_id: personId, account_id: accountId, source: 'invitation' as const };
    await trx.run(
      builder
        .deleteFrom('memberships')
        .where('person_id', '=', personId)
        .where('account_id', '=', accountId)
        .where('source', '=', 'invitation'),
    );
    if (role !== null)
      await trx.run(builder.insertInto('memberships').values({ ...membership, role, created_at: by.now }));
    await endChangedBearers(trx, personId, before);
    const was = before.find((one) => one.accountId === accountId)?.role ?? null;
    const account = accountId === OPERATORS ? null : accountId;
    await recordAct(trx, by, {
      act: 'member.role',
      target: personId,
      detail: { account_id: account, before: was, after: role },
    });
  });
}

/** Returns a page of all people, by id, and their roles. @param page.after a person_id */
export async function listPeople(
  session: Session,
  page: { readonly limit: number; readonly after: string },
  now: number,
): Promise<{ readonly items: PersonView[]; readonly hasMore: boolean }> {
  const rows = await session.all(
    session.builder
      .selectFrom('people')
      .select('id')
      .where('id', '>', page.after)
      .orderBy('id')
      .limit(page.limit + 1),
  );
  const items = await Promise.all(rows.slice(0, page.limit).map(({ id }) => viewPerson(session, id, now)));
  return { items, hasMore: rows.length > page.limit };
}

/** Reads a person with roles and sessions. @throws ServiceError `not_found` */
export async function viewPerson(session: Session, personId: string, now: number): Promise<PersonView> {
  const { builder } = session;
  const person = await session.first(builder.selectFrom('people').selectAll().where('id', '=', personId));
  if (person === undefined) throw unknownMember(personId);
  const memberships = await membershipsOf(session, personId);
  const byGroup = await session.all(
    builder
      .selectFrom('memberships')
      .select('account_id')
      .where('person_id', '=', personId)
      .where('source', '=', 'group'),
  );
  const sessions = await session.first(
    builder
      .selectFrom('person_sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('person_id', '=', personId)
      .where('expires_at', '>', now),
  );
  return {
    person_id: person.id,
    name: person.name,
    email: person.email,
    memberships: memberships.map(({ accountId, role }) => ({
      account_id: accountId === OPERATORS ? null : accountId,
      role,
      by_group: byGroup.some(({ account_id }) => account_id === accountId),
    })),
    sessions: Number(sessions?.count ?? 0),
    created_at: isoTime(person.created_at),
    signed_in_at: isoTime(person.signed_in_at),
  };
}

function unknownMember(personId: string): ServiceError {
  return new ServiceError('not_found', `There is no person '${cutText(personId, 64)}' here.`, { param: 'person_id' });
}

/**
 * Removes a person with name, address, roles and sessions. Their orders stay as those of the end user `person_id`.
 * @throws ServiceError `not_found`
 */
export async function removePerson(store: Pick<Store, 'write'>, by: Act, personId: string): Promise<void> {
  await store.write('remove_person', async (trx) => {
    const { builder } = trx;
    await trx.lock(`person:${personId}`);
    const person = await trx.first(builder.selectFrom('people').select('id').where('id', '=', personId));
    if (person === undefined) throw unknownMember(personId);
    const sessions = await endSessionsOf(trx, personId);
    const keys = builder.selectFrom('person_keys').select('key_id').where('person_id', '=', personId);
    // The keys have their names, and the files of their orders.
    await trx.run(builder.updateTable('api_keys').set({ name: personId }).where('id', 'in', keys));
    await trx.run(builder.deleteFrom('memberships').where('person_id', '=', personId));
    await trx.run(builder.deleteFrom('people').where('id', '=', personId));
    await recordAct(trx, by, { act: 'person.remove', target: personId, detail: { sessions } });
  });
}
