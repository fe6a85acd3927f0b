import { Select } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useDeed } from '../../api/use-deed.ts';
import { usePages } from '../../api/use-pages.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Named } from '../../components/two-lines.tsx';
import { Hint } from '../../components/words.ts';
import { teamTexts } from '../../texts/team.ts';
import { InviteButton } from './invite-button.tsx';
import { type Windows as Amounts, limitsOf } from './key-draft.ts';
import { Windows } from './key-fields.tsx';
import { OF_ACCOUNT } from './key-source.ts';
import { type KeysOfLeaver, KnownKeys } from './known-keys.tsx';

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
  const setRole = useDeed(({ personId, role }: { readonly personId: string; readonly role: AccountRole }) =>
    perform('PATCH /v1/account/members/{person_id}', { path: { person_id: personId }, body: { role } }),
  );
  const remove = useDeed(
    ({ person_id }: Member) => perform('DELETE /v1/account/members/{person_id}', { path: { person_id } }),
    (removed: Removed | undefined, { name }) => {
      if (removed !== undefined && removed.keys.length > 0) setLeaving({ name, keys: removed.keys });
    },
  );
  // The list, which is read again after an answer that was lost, may show that it was done.
  const isSet = members.items?.some(
    ({ person_id, role }) => person_id === setRole.variables?.personId && role === setRole.variables.role,
  );
  const error = isSet === true ? null : setRole.error;
  return (
    <ListPanel
      pages={members}
      more="Show more"
      title="Members"
      hint="Whoever loses a role loses access at once. Their orders stay."
      aside={<InviteButton to="account" />}
      above={
        <>
          <ErrorNote title={texts.failed} unknown={texts.unknown} error={error} />
          <KnownKeys source={OF_ACCOUNT} of={leaving} onClose={() => setLeaving(null)} />
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
      ]}
      deeds={[
        {
          word: 'Limits',
          name: ({ name }) => teamTexts.limits.title(name),
          form: (member, onClose) => <MemberLimitsForm member={member} onClose={onClose} />,
        },
        {
          word: texts.remove,
          name: ({ name }) => `Remove ${name}`,
          isOffered: (member) => !member.by_group,
          deed: remove,
          failed: texts.failed,
          unknown: texts.unknown,
        },
      ]}
    />
  );
}

const limitTexts = teamTexts.limits;

/** Sets what a member may spend with live orders. */
function MemberLimitsForm({
  member,
  onClose,
}: {
  readonly member: DataOf<'GET /v1/account/members'>['items'][number];
  readonly onClose: () => void;
}) {
  const { day, month, total } = member.limits;
  const [limits, setLimits] = useState<Amounts>({ day: day ?? '', month: month ?? '', total: total ?? '' });
  const save = useDeed(
    () =>
      perform('PATCH /v1/account/members/{person_id}', {
        path: { person_id: member.person_id },
        body: { limits: limitsOf(limits) },
      }),
    onClose,
  );
  return (
    <DialogForm deed={save} texts={limitTexts} onClose={onClose}>
      <Hint>What they may spend with live orders. A limit counts what was spent before it was set.</Hint>
      <Windows legend="Spend limits" value={limits} onChange={setLimits} />
    </DialogForm>
  );
}
