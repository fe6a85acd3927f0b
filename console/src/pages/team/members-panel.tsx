import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Named } from '../../components/two-lines.tsx';
import { teamTexts } from '../../texts/team.ts';
import { InviteButton } from './invite-button.tsx';
import { type KeysOfLeaver, KnownKeys } from './known-keys.tsx';

const texts = teamTexts.members;
const ROLES = ['viewer', 'finance', 'creator', 'manager'] as const;
const ROLE_CHOICES = ROLES.map((value) => ({ value, label: teamTexts.roles[value] }));
type Member = DataOf<'GET /v1/account/members'>['items'][number];
type AccountRole = (typeof ROLES)[number];

/** The members of the account, for its managers. */
export function MembersPanel() {
  const members = useApi('GET /v1/account/members', { query: { limit: 100 } });
  const [leaving, setLeaving] = useState<KeysOfLeaver | null>(null);
  const changed = () => refresh('GET /v1/account/members');
  const setRole = useMutation({
    mutationFn: ({ personId, role }: { readonly personId: string; readonly role: AccountRole }) =>
      perform('PATCH /v1/account/members/{person_id}', { path: { person_id: personId }, body: { role } }),
    onSettled: changed,
  });
  const remove = useMutation({
    mutationFn: ({ person_id }: Member) => perform('DELETE /v1/account/members/{person_id}', { path: { person_id } }),
    onSuccess: ({ keys }, { name }) => keys.length > 0 && setLeaving({ name, keys }),
    onSettled: changed,
  });
  // The list, which is read again after an answer that was lost, may show that it was done.
  const isSet = members.data?.items.some(
    ({ person_id, role }) => person_id === setRole.variables?.personId && role === setRole.variables.role,
  );
  const error = (isSet === true ? null : setRole.error) ?? remove.error;
  return (
    <ListPanel
      pages={atOnce(members)}
      title={texts.title}
      hint={texts.hint}
      aside={<InviteButton to="account" />}
      above={
        <>
          {error !== null && <ErrorNote title={texts.failed} unknown={texts.unknown} error={error} />}
          <KnownKeys of={leaving} onClose={() => setLeaving(null)} />
        </>
      }
      empty={texts.empty}
      rowKey={(member) => member.person_id}
      columns={[
        {
          head: texts.heads.name,
          phone: 'title',
          cell: ({ name, email }) => <Named name={name} more={email !== name && email} />,
        },
        {
          head: texts.heads.role,
          cell: (member) => (
            <Select
              size="xs"
              aria-label={texts.roleOf(member.name)}
              description={member.by_group ? texts.byGroup : undefined}
              data={ROLE_CHOICES}
              value={member.role}
              allowDeselect={false}
              onChange={(role) => setRole.mutate({ personId: member.person_id, role: role as AccountRole })}
            />
          ),
        },
        {
          head: texts.heads.limit,
          phone: 'note',
          cell: ({ windows: { month } }) =>
            month.limit === null
              ? formatMoney(month.charged)
              : texts.of(formatMoney(month.charged), formatMoney(month.limit)),
        },
        {
          head: texts.heads.actions,
          actions: true,
          cell: (member) => (
            <SmallButton aria-label={texts.removeOf(member.name)} onClick={() => remove.mutate(member)}>
              {texts.remove}
            </SmallButton>
          ),
        },
      ]}
    />
  );
}
