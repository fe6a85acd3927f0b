import { Stack } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { useApi } from '../../api/use-api.ts';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { Moment } from '../../components/words.tsx';
import { inWords } from '../../texts/in-words.ts';
import { AccountSelect } from './account-select.tsx';
import { MembersPanel } from './members-panel.tsx';
import { PeoplePanel } from './people-panel.tsx';

const INVITATIONS = {
  account: { list: 'GET /v1/account/invitations', withdraw: 'DELETE /v1/account/invitations/{invitation_id}' },
  anywhere: { list: 'GET /admin/v1/invitations', withdraw: 'DELETE /admin/v1/invitations/{invitation_id}' },
} as const;

/** The members of the account for its managers, all people who have signed in for operators, and the invitations. */
export function PeopleView() {
  const may = useMay();
  return (
    <Stack gap="lg">
      {may('GET /v1/account/members') && (
        <>
          <MembersPanel />
          <Invitations to="account" />
        </>
      )}
      {may('GET /admin/v1/people') && (
        <>
          <PeoplePanel />
          <Invitations to="anywhere" />
        </>
      )}
    </Stack>
  );
}

/** Unused invitations to the account in use, or to any account and the operators, with a button that withdraws them. */
function Invitations({ to }: { readonly to: keyof typeof INVITATIONS }) {
  const { list, withdraw } = INVITATIONS[to];
  const may = useMay();
  const [account, setAccount] = useState<string | null>(null);
  const query = account === null ? {} : { account_id: account };
  return (
    <ListPanel
      pages={singlePage(useApi(list, { query }, { keep: true }), ({ invitation_id: id }) => id)}
      title={to === 'account' ? 'Open invitations' : 'Open invitations by operators'}
      hint="Links that nobody has used yet."
      aside={
        to === 'anywhere' && (
          <AccountSelect
            aria-label="Invited to"
            placeholder="The operators"
            clearable
            w={200}
            value={account}
            onChange={setAccount}
          />
        )
      }
      empty="Nobody is invited."
      columns={[
        { head: 'For', phone: 'title', cell: ({ email }) => email ?? 'Whoever has the link' },
        { head: 'Role', phone: 'note', cell: ({ role }) => inWords(role) },
        { head: 'Works until', phone: 'fact', cell: ({ expires_at: at }) => <Moment at={at} /> },
      ]}
      deeds={[
        may(withdraw) && {
          word: 'Withdraw',
          name: ({ email, role }) => `Withdraw the invitation for ${email ?? inWords(role)}`,
          act: ({ invitation_id }) => perform(withdraw, { path: { invitation_id } }),
          failed: 'The invitation was not withdrawn',
        },
      ]}
    />
  );
}
