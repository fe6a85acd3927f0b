import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { Named } from '../../components/two-lines.tsx';
import { teamTexts } from '../../texts/team.ts';
import { InviteButton } from './invite-button.tsx';

type Person = DataOf<'GET /admin/v1/people'>['items'][number];
const texts = teamTexts.people;
const NONE = 'none';
const OPERATOR_CHOICES = [
  { value: NONE, label: teamTexts.noRole },
  { value: 'operator', label: teamTexts.roles.operator },
  { value: 'owner', label: teamTexts.roles.owner },
];

/** Everybody who has signed in, for operators. */
export function PeoplePanel() {
  const people = useApi('GET /admin/v1/people', { query: { limit: 100 } });
  const changed = () => refresh('GET /admin/v1/people');
  const setRole = useMutation({
    mutationFn: ({ personId, role }: { readonly personId: string; readonly role: string }) =>
      perform('PUT /admin/v1/people/{person_id}/role', {
        path: { person_id: personId },
        body: { account_id: null, role: role === NONE ? null : (role as 'operator' | 'owner') },
      }),
    onSettled: changed,
  });
  const end = useMutation({
    mutationFn: (person: Person) =>
      perform(
        'POST /admin/v1/people/{person_id}/sign_out',
        { path: { person_id: person.person_id } },
        texts.endOf(person.name),
      ),
    onSettled: changed,
  });
  // The list, which is read again after an answer that was lost, may show that it was done.
  const isSet = people.data?.items.some(
    (person) => person.person_id === setRole.variables?.personId && operatorRoleOf(person) === setRole.variables.role,
  );
  const error = (isSet === true ? null : setRole.error) ?? end.error;
  return (
    <ListPanel
      pages={atOnce(people)}
      title={texts.title}
      hint={texts.hint}
      aside={<InviteButton to="anywhere" />}
      above={
        error !== null && (
          <ErrorNote title={teamTexts.members.failed} unknown={teamTexts.members.unknown} error={error} />
        )
      }
      empty={texts.empty}
      rowKey={(person) => person.person_id}
      columns={[
        {
          head: texts.heads.name,
          phone: 'title',
          cell: ({ name, email }) => <Named name={name} more={email !== name && email} />,
        },
        { head: texts.heads.roles, phone: 'note', cell: rolesOf },
        {
          head: texts.heads.operator,
          cell: (person) => (
            <Select
              size="xs"
              aria-label={texts.operatorRoleOf(person.name)}
              data={OPERATOR_CHOICES}
              value={operatorRoleOf(person)}
              allowDeselect={false}
              onChange={(role) => setRole.mutate({ personId: person.person_id, role: role ?? NONE })}
            />
          ),
        },
        { head: texts.heads.sessions, phone: 'note', cell: ({ sessions }) => texts.sessions(sessions) },
        {
          head: texts.heads.actions,
          actions: true,
          cell: (person) => (
            <SmallButton aria-label={texts.endOf(person.name)} onClick={() => end.mutate(person)}>
              {texts.end}
            </SmallButton>
          ),
        },
      ]}
    />
  );
}

function operatorRoleOf({ memberships }: Person): string {
  return memberships.find(({ account_id }) => account_id === null)?.role ?? NONE;
}

function rolesOf({ memberships }: Person): string {
  const inAccounts = memberships.flatMap(({ account_id, role }) =>
    account_id === null ? [] : [`${teamTexts.roles[role]} (${account_id})`],
  );
  return inAccounts.length === 0 ? teamTexts.noRole : inAccounts.join(', ');
}
