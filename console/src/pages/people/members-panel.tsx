import { Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh } from '../../api/use-api.ts';
import { usePages } from '../../api/use-pages.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Named } from '../../components/two-lines.tsx';
import { teamTexts } from '../../texts/team.ts';
import { InviteButton } from './invite-button.tsx';
import { OF_ACCOUNT } from './key-source.ts';
import { type KeysOfLeaver, KnownKeys } from './known-keys.tsx';
import { MemberLimitsForm } from './member-limits-form.tsx';

const texts = teamTexts.members;
const PAGE_SIZE = 50;
const ROLES = ['viewer', 'finance', 'creator', 'manager'] as const;
const ROLE_CHOICES = ROLES.map((value) => ({ value, label: teamTexts.roles[value] }));
type Member = DataOf<'GET /v1/account/members'>['items'][number];
type Removed = DataOf<'DELETE /v1/account/members/{person_id}'>;
type AccountRole = (typeof ROLES)[number];

/** The members of the account, for its managers. */
export function MembersPanel() {
  const members = usePages('GET /v1/account/members', { limit: PAGE_SIZE }, ({ person_id: id }) => id);
  const [leaving, setLeaving] = useState<KeysOfLeaver | null>(null);
  const [limited, setLimited] = useState<Member | null>(null);
  const changed = () => refresh('GET /v1/account/members');
  const setRole = useMutation({
    mutationFn: ({ personId, role }: { readonly personId: string; readonly role: AccountRole }) =>
      perform('PATCH /v1/account/members/{person_id}', { path: { person_id: personId }, body: { role } }),
    onSettled: changed,
  });
  const remove = useMutation({
    mutationFn: ({ person_id }: Member) => perform('DELETE /v1/account/members/{person_id}', { path: { person_id } }),
    // Undefined if the answer was lost.
    onSuccess: (removed: Removed | undefined, { name }) => {
      if (removed !== undefined && removed.keys.length > 0) setLeaving({ name, keys: removed.keys });
    },
    onSettled: changed,
  });
  // The list, which is read again after an answer that was lost, may show that it was done.
  const isSet = members.items?.some(
    ({ person_id, role }) => person_id === setRole.variables?.personId && role === setRole.variables.role,
  );
  const error = (isSet === true ? null : setRole.error) ?? remove.error;
  return (
    <ListPanel
      pages={members}
      more="Show more"
      title="Members"
      hint="Whoever loses a role loses access at once. Their orders stay."
      aside={<InviteButton to="account" />}
      above={
        <>
          {error !== null && <ErrorNote title={texts.failed} unknown={texts.unknown} error={error} />}
          <KnownKeys source={OF_ACCOUNT} of={leaving} onClose={() => setLeaving(null)} />
          <DialogAbout
            about={limited}
            title={({ name }) => teamTexts.limits.title(name)}
            onClose={() => setLimited(null)}
          >
            {(member) => <MemberLimitsForm member={member} onClose={() => setLimited(null)} />}
          </DialogAbout>
        </>
      }
      empty="Nobody belongs to this account yet."
      rowKey={(member) => member.person_id}
      columns={[
        {
          head: 'Name',
          phone: 'title',
          cell: ({ name, email }) => <Named name={name} more={email !== name && email} />,
        },
        {
          head: 'Role',
          cell: (member) => (
            <Select
              size="xs"
              aria-label={`Role of ${member.name}`}
              description={member.by_group ? 'by a group' : undefined}
              data={ROLE_CHOICES}
              value={member.role}
              allowDeselect={false}
              onChange={(role) => setRole.mutate({ personId: member.person_id, role: role as AccountRole })}
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
        {
          head: 'Actions',
          actions: true,
          cell: (member) => (
            <Group gap={6} wrap="nowrap" justify="flex-end">
              <SmallButton aria-label={teamTexts.limits.title(member.name)} onClick={() => setLimited(member)}>
                {teamTexts.limits.open}
              </SmallButton>
              {!member.by_group && (
                <SmallButton aria-label={`Remove ${member.name}`} onClick={() => remove.mutate(member)}>
                  {texts.remove}
                </SmallButton>
              )}
            </Group>
          ),
        },
      ]}
    />
  );
}
