import {
  type AnyRole,
  cutText,
  higherRole,
  isoTime,
  isRoleOf,
  OPERATORS,
  ServiceError,
  world,
} from '@darkroom-service/contract';
import {
  type Act,
  actorOf,
  recordAct,
  type Schema,
  type Session,
  type Store,
  type Transaction,
} from '@darkroom-service/darkroom/kernel';
import { hashSecret } from '@darkroom-service/darkroom/kernel-accounts';
import type { Selectable } from 'kysely';
import type { PeopleConfig } from '../people-settings.ts';
import type { InvitationView } from '../people-wire.ts';
import { type Claims, whyUnverified } from '../provider/claims.ts';
import { endChangedBearers, membershipsOf } from './memberships.ts';

export const INVITATION_MS = 7 * 86_400_000;
/** Maximum number of open invitations of one account. */
const MOST_INVITATIONS = 200;
const NOBODY_SIGNS_IN =
  'Nobody can accept an invitation: DARKROOM_OIDC_ISSUER is not set here, so nobody can sign in. Set it for the service and for its commands (docs/roles.md).';

type InvitationRow = Selectable<Schema['invitations']>;

interface NewInvitation {
  /** Account, or `OPERATORS` for an operator. */
  readonly accountId: string;
  readonly role: AnyRole;
  readonly email: string | null;
}

/**
 * Makes a link that offers a role to the first person who signs in with it and accepts. The token is shown now and
 * never again.
 * @param people the settings: without a provider nobody could sign in with the link
 * @throws ServiceError `not_found`, `invalid_request`
 */
export async function invite(
  store: Pick<Store, 'write'>,
  by: Act,
  { accountId, role, email }: NewInvitation,
  { provider }: Pick<PeopleConfig, 'provider'>,
): Promise<{ readonly invitation: InvitationView; readonly token: string }> {
  if (provider === null) throw new ServiceError('invalid_request', NOBODY_SIGNS_IN);
  if (!isRoleOf(accountId, role))
    throw new ServiceError(
      'invalid_request',
      `'${role}' is not a role of ${accountId === OPERATORS ? 'operators' : 'an account'}.`,
      {
        param: 'role',
      },
    );
  const token = Buffer.from(world.randomBytes(32)).toString('base64url');
  const row: InvitationRow = {
    id: by.createId('inv'),
    hash: hashSecret(token),
    account_id: accountId,
    role,
    email: email?.toLowerCase() ?? null,
    invited_by: actorOf(by).id,
    created_at: by.now,
    expires_at: by.now + INVITATION_MS,
  };
  await store.write('invite', async (trx) => {
    await by.binding?.within(trx, row.id);
    if (accountId !== OPERATORS) await assertAccount(trx, accountId);
    await trx.lock(`invitations:${accountId}`);
    await trx.run(trx.builder.deleteFrom('invitations').where('expires_at', '<=', by.now));
    const open = await trx.all(trx.builder.selectFrom('invitations').select('id').where('account_id', '=', accountId));
    if (open.length >= MOST_INVITATIONS)
      throw new ServiceError(
        'invalid_request',
        `${MOST_INVITATIONS} invitations are open, the maximum. Withdraw some.`,
      );
    await trx.run(trx.builder.insertInto('invitations').values(row));
    await recordAct(trx, by, { act: 'invitation.create', target: row.id, detail: detailOf(row) });
  });
  return { invitation: viewInvitation(row), token };
}

/** Returns the link of an invitation. */
export function invitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/console/sign-in?invitation=${token}`;
}

export async function listInvitations(session: Session, accountId: string, now: number): Promise<InvitationView[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('invitations')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('expires_at', '>', now)
      .orderBy('id'),
  );
  return rows.map(viewInvitation);
}

/** Finds an invitation. @throws ServiceError `not_found` */
export async function findInvitation(session: Session, id: string): Promise<InvitationView> {
  const row = await session.first(session.builder.selectFrom('invitations').selectAll().where('id', '=', id));
  if (row === undefined) throw unknownInvitation(id);
  return viewInvitation(row);
}

/** Withdraws an invitation that nobody has accepted. @throws ServiceError `not_found` */
export async function withdrawInvitation(
  store: Pick<Store, 'write'>,
  by: Act,
  accountId: string,
  id: string,
): Promise<InvitationView> {
  return await store.write('withdraw_invitation', async (trx) => {
    const row = await trx.first(
      trx.builder.selectFrom('invitations').selectAll().where('id', '=', id).where('account_id', '=', accountId),
    );
    if (row === undefined) throw unknownInvitation(id);
    await trx.run(trx.builder.deleteFrom('invitations').where('id', '=', id));
    await recordAct(trx, by, { act: 'invitation.withdraw', target: id, detail: detailOf(row) });
    return viewInvitation(row);
  });
}

type Invited = Pick<Claims, 'email' | 'emailVerified'>;

/** An invitation as its page shows it to the person who opened the link. */
export interface InvitationOffer {
  /** Account; null = the operators. */
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly role: AnyRole;
  /** Name and address of a person, name of a key, or a program. */
  readonly invitedBy: string;
}

/** Reads an invitation that a person may accept, and changes nothing. @throws ServiceError as `acceptInvitation` */
export async function readOffer(
  session: Session,
  token: string,
  invited: Invited,
  now: number,
): Promise<InvitationOffer> {
  const { builder } = session;
  const row = await session.first(builder.selectFrom('invitations').selectAll().where('hash', '=', hashSecret(token)));
  const { account_id: id, role, invited_by: by } = requireOpen(row, invited, now);
  const account = await session.first(builder.selectFrom('accounts').select('name').where('id', '=', id));
  const person = await session.first(builder.selectFrom('people').select(['name', 'email']).where('id', '=', by));
  const key = await session.first(builder.selectFrom('api_keys').select('name').where('id', '=', by));
  const email = person?.email == null ? '' : ` (${person.email})`;
  const invitedBy =
    person !== undefined ? `${person.name}${email}` : key === undefined ? by : `the key ${key.name ?? by}`;
  return { account: id === OPERATORS ? null : { id, name: account?.name ?? id }, role, invitedBy };
}

/**
 * Gives a person who has just signed in the role of an invitation, which is used up. A higher role that an earlier
 * invitation gave stays.
 * @param by the person
 * @throws ServiceError `forbidden` if it is used, withdrawn, expired, or somebody else's
 */
export async function acceptInvitation(trx: Transaction, by: Act, token: string, invited: Invited): Promise<void> {
  const { builder } = trx;
  const found = await trx.first(
    builder.selectFrom('invitations').selectAll().where('hash', '=', hashSecret(token)).forUpdate(),
  );
  const row = requireOpen(found, invited, by.now);
  const { id: personId } = actorOf(by);
  const before = await membershipsOf(trx, personId);
  await trx.run(builder.deleteFrom('invitations').where('id', '=', row.id));
  const membership = { person_id: personId, account_id: row.account_id, source: 'invitation' as const };
  const earlier = await trx.first(
    builder
      .selectFrom('memberships')
      .select('role')
      .where('person_id', '=', personId)
      .where('account_id', '=', row.account_id)
      .where('source', '=', 'invitation'),
  );
  const role = higherRole(row.role, earlier?.role ?? row.role);
  await trx.run(
    builder
      .insertInto('memberships')
      .values({ ...membership, role, created_at: by.now })
      .onConflict((conflict) => conflict.columns(['person_id', 'account_id', 'source']).doUpdateSet({ role })),
  );
  await endChangedBearers(trx, personId, before);
  await recordAct(trx, by, { act: 'invitation.accept', target: row.id, detail: detailOf(row) });
}

/** @throws ServiceError `forbidden` if it is used, withdrawn, expired, or somebody else's */
function requireOpen(row: InvitationRow | undefined, { email, emailVerified }: Invited, now: number): InvitationRow {
  if (row === undefined || row.expires_at <= now)
    throw new ServiceError(
      'forbidden',
      'The invitation was used already, withdrawn, or has expired. Ask for a new one.',
    );
  if (row.email === null) return row;
  if (row.email !== email)
    throw new ServiceError('forbidden', 'The invitation is for another email address. Sign in with that one.');
  const why = whyUnverified({ email, emailVerified });
  if (why === null) return row;
  throw new ServiceError('forbidden', `The invitation is for a verified email address. ${why}`);
}

async function assertAccount(trx: Transaction, accountId: string): Promise<void> {
  const account = await trx.first(trx.builder.selectFrom('accounts').select('id').where('id', '=', accountId));
  if (account !== undefined) return;
  throw new ServiceError('not_found', `There is no account '${accountId}'.`, { param: 'account_id' });
}

function detailOf({ account_id, role, email }: InvitationRow) {
  return { account_id: account_id === OPERATORS ? null : account_id, role, email };
}

function viewInvitation(row: InvitationRow): InvitationView {
  return {
    invitation_id: row.id,
    account_id: row.account_id === OPERATORS ? null : row.account_id,
    role: row.role,
    email: row.email,
    invited_by: row.invited_by,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
  };
}

function unknownInvitation(id: string): ServiceError {
  return new ServiceError('not_found', `There is no open invitation '${cutText(id, 64)}'.`, { param: 'invitation_id' });
}
