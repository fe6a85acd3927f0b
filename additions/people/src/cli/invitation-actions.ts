import { type AnyRole, OPERATORS } from '@darkroom-service/contract';
import {
  type OutputOptions,
  type RepeatableOptions,
  show,
  table,
  usageFault,
  withLocalData,
  writeOnce,
} from '@darkroom-service/darkroom/kernel-cli';
import { loopbackUrl } from '@darkroom-service/media';
import { Check } from 'typebox/value';
import { findInvitation, invitationUrl, invite, listInvitations, withdrawInvitation } from '../members/invitations.ts';
import { PEOPLE_SETTINGS } from '../people-settings.ts';
import { Email, type InvitationView } from '../people-wire.ts';

interface CreateOptions extends OutputOptions, RepeatableOptions {
  readonly role: AnyRole;
  readonly account?: string;
  readonly email?: string;
}

type Issued = InvitationView & { readonly url: string | null };

export async function create({ role, account = OPERATORS, email, ...options }: CreateOptions): Promise<void> {
  if (email !== undefined && !Check(Email, email))
    throw usageFault(`--email: expected an address such as ada@example.com, found '${email}'`);
  const wanted = { accountId: account, role, email: email ?? null };
  const { answer: issued } = await writeOnce<Issued>('refuse', options, {
    asked: { command: 'invitations create', ...wanted },
    make: async ({ database, config }, by) => {
      const { invitation, token } = await invite(database, by, wanted, config.of(PEOPLE_SETTINGS));
      const url = invitationUrl(config.publicUrl ?? loopbackUrl(config.host, config.port), token);
      return { ...invitation, url };
    },
    again: async ({ database }, id) => ({ ...(await findInvitation(database.read, id)), url: null }),
  });
  const link = issued.url ?? 'The link was shown the first time. Revoke the invitation, and create another one.';
  const text = `${issued.invitation_id}  ${describe(issued)}, until ${issued.expires_at}\n${link}`;
  show(options, { json: issued, text, plain: issued.url ?? '' });
}

export async function list({
  account = OPERATORS,
  ...options
}: OutputOptions & { readonly account?: string }): Promise<void> {
  const items = await withLocalData('refuse', ({ database, by }) => listInvitations(database.read, account, by.now));
  const rows = items.map((one) => [one.invitation_id, one.role, one.email, one.invited_by, one.expires_at]);
  const text =
    items.length === 0
      ? 'There are no open invitations.'
      : table(['INVITATION', 'ROLE', 'EMAIL', 'INVITED BY', 'EXPIRES'], rows);
  show(options, { json: { items }, text, plain: items.map((one) => one.invitation_id).join('\n') });
}

export async function revoke(id: string, options: OutputOptions): Promise<void> {
  const revoked = await withLocalData('refuse', async ({ database, by }) => {
    const { account_id: accountId } = await findInvitation(database.read, id);
    return await withdrawInvitation(database, by, accountId ?? OPERATORS, id);
  });
  show(options, { json: revoked, text: `${id}  ${describe(revoked)}: revoked.` });
}

function describe({ role, account_id: accountId, email }: InvitationView): string {
  return `${role}${accountId === null ? '' : ` of ${accountId}`}${email === null ? '' : `, for ${email}`}`;
}
