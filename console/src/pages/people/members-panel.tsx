import { Select } from '@mantine/core';
import { useState } from 'react';
import { perform, useDeed } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { usePages } from '../../api/use-api.ts';
import { DeedForm } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RequestFields } from '../../components/fields/request-fields.tsx';
import { useRequestForm } from '../../components/fields/request-form.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { Hint, Named } from '../../components/words.tsx';
import { formatMoney } from '../../format.ts';
import { ACCOUNT_ROLES, choicesOf, InviteButton } from './invite-button.tsx';
import { OF_ACCOUNT } from './key-source.ts';
import { KnownKeys, type Leaver, ROLE_UNCHANGED } from './known-keys.tsx';

type Member = DataOf<'GET /v1/account/members'>['items'][number];
type RoleChange = Pick<Member, 'person_id' | 'role'>;

/** The members of the account, for its managers. */
export function MembersPanel() {
  const members = usePages('GET /v1/account/members', { limit: 50 }, ({ person_id: id }) => id);
  const [leaving, setLeaving] = useState<Leaver | null>(null);
  const setRole = useDeed(({ person_id, role }: RoleChange) =>
    perform('PATCH /v1/account/members/{person_id}', { path: { person_id }, body: { role } }),
  );
  const change = setRole.variables;
  // The list, refetched after a lost answer, may show that the change was made.
  const isSet = members.items?.some(({ person_id: id, role }) => id === change?.person_id && role === change.role);
  const remove = async ({ person_id, name }: Member) => {
    const removed = await perform('DELETE /v1/account/members/{person_id}', { path: { person_id } });
    // Undefined if the answer was lost.
    setLeaving({ name, keys: (removed as typeof removed | undefined)?.keys ?? [] });
  };
  return (
    <ListPanel
      pages={members}
      more="Show more"
      title="Members"
      hint="Whoever loses a role loses access at once. Their orders stay."
      aside={<InviteButton to="account" />}
      above={
        <>
          <ErrorNote title={ROLE_UNCHANGED} error={isSet === true ? null : setRole.error} />
          <KnownKeys source={OF_ACCOUNT} of={leaving} onClose={() => setLeaving(null)} />
        </>
      }
      empty="Nobody belongs to this account yet."
      columns={[
        {
          head: 'Name',
          phone: 'title',
          cell: ({ name, email }) => <Named name={name} more={email !== name && email} />,
        },
        {
          head: 'Role',
          cell: ({ person_id, name, role, by_group: byGroup }) => (
            <Select
              size="xs"
              aria-label={`Role of ${name}`}
              description={byGroup ? 'by a group' : undefined}
              data={choicesOf(ACCOUNT_ROLES)}
              value={role}
              allowDeselect={false}
              onChange={(next) => setRole.mutate({ person_id, role: next as Member['role'] })}
            />
          ),
        },
        {
          head: 'Spent this month',
          phone: 'note',
          cell: ({ windows: { month } }) =>
            month.limit === null
              ? formatMoney(month.charged)
              : `${formatMoney(month.charged)} of ${formatMoney(month.limit)}`,
        },
      ]}
      deeds={[
        {
          word: 'Limits',
          name: ({ name }) => `Limits of ${name}`,
          form: (member) => <MemberLimitsForm member={member} />,
        },
        {
          word: 'Remove',
          name: ({ name }) => `Remove ${name}`,
          isOffered: (member) => !member.by_group,
          act: remove,
          failed: ROLE_UNCHANGED,
        },
      ]}
    />
  );
}

/** Sets a member's spend limits for live orders. */
function MemberLimitsForm({ member: { person_id, limits } }: { readonly member: Member }) {
  const form = useRequestForm('PATCH /v1/account/members/{person_id}', { person_id, limits });
  return (
    <DeedForm act={() => perform(form.operation, form.request)} submit="Save" failed="The limits were not changed">
      <Hint>What they may spend with live orders. A limit counts what was spent before it was set.</Hint>
      <RequestFields form={form} rows={['limits']} />
    </DeedForm>
  );
}
