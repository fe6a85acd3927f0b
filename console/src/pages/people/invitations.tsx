import { Select } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { useDeed } from '../../api/use-deed.ts';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { Moment } from '../../components/two-lines.tsx';
import { teamTexts } from '../../texts/team.ts';

type Invitation = DataOf<'GET /v1/account/invitations'>['items'][number];

const SOURCES = {
  account: { list: 'GET /v1/account/invitations', withdraw: 'DELETE /v1/account/invitations/{invitation_id}' },
  anywhere: { list: 'GET /admin/v1/invitations', withdraw: 'DELETE /admin/v1/invitations/{invitation_id}' },
} as const;

/** The links that nobody has used yet to join the account in use, or any account and the operators; withdraws them. */
export function Invitations({ to }: { readonly to: keyof typeof SOURCES }) {
  const { list, withdraw } = SOURCES[to];
  const may = useMay();
  const [account, setAccount] = useState<string | null>(null);
  const query = account === null ? {} : { account_id: account };
  const invitations = useApi(list, { query }, { keep: true });
  const end = useDeed(({ invitation_id }: Invitation) => perform(withdraw, { path: { invitation_id } }));
  return (
    <ListPanel
      pages={atOnce(invitations)}
      title={to === 'account' ? 'Open invitations' : 'Open invitations by operators'}
      hint="Links that nobody has used yet."
      aside={to === 'anywhere' && <AccountChoice value={account} onChange={setAccount} />}
      empty="Nobody is invited."
      rowKey={({ invitation_id: id }) => id}
      columns={[
        { head: 'For', phone: 'title', cell: ({ email }) => email ?? 'Whoever has the link' },
        { head: 'Role', phone: 'note', cell: ({ role }) => teamTexts.roles[role] },
        { head: 'Works until', phone: 'fact', cell: ({ expires_at: at }) => <Moment at={at} /> },
      ]}
      deeds={[
        may(withdraw) && {
          word: 'Withdraw',
          name: ({ email, role }) => `Withdraw the invitation for ${email ?? teamTexts.roles[role]}`,
          deed: end,
          failed: 'The invitation was not withdrawn',
          unknown: 'It is not known whether the invitation was withdrawn',
        },
      ]}
    />
  );
}

function AccountChoice({
  value,
  onChange,
}: {
  readonly value: string | null;
  readonly onChange: (account: string | null) => void;
}) {
  const accounts = useApi('GET /admin/v1/accounts', {});
  return (
    <Select
      aria-label="Invited to"
      placeholder="The operators"
      clearable
      searchable
      w={200}
      value={value}
      onChange={onChange}
      data={accounts.data?.items.map(({ account_id, name }) => ({ value: account_id, label: name })) ?? []}
    />
  );
}
