import { Code, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { useDeed } from '../../api/use-deed.ts';
import { usePages } from '../../api/use-pages.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Named } from '../../components/two-lines.tsx';
import { teamTexts } from '../../texts/team.ts';
import { InviteButton } from './invite-button.tsx';
import { OF_SERVICE } from './key-source.ts';
import { type KeysOfLeaver, KnownKeys } from './known-keys.tsx';

type Person = DataOf<'GET /admin/v1/people'>['items'][number];
const texts = teamTexts.people;
const PAGE_SIZE = 50;
const NONE = 'none';
const OPERATOR_CHOICES = [
  { value: NONE, label: teamTexts.noRole },
  { value: 'operator', label: teamTexts.roles.operator },
  { value: 'owner', label: teamTexts.roles.owner },
];

/** Everybody who has signed in, for operators. Owners change their roles. */
export function PeoplePanel() {
  const may = useMay();
  const [leaving, setLeaving] = useState<KeysOfLeaver | null>(null);
  const people = usePages('GET /admin/v1/people', { limit: PAGE_SIZE }, ({ person_id: id }) => id);
  const setRole = useDeed(({ personId, role }: { readonly personId: string; readonly role: string }) =>
    perform('PUT /admin/v1/people/{person_id}/role', {
      path: { person_id: personId },
      body: { account_id: null, role: role === NONE ? null : (role as 'operator' | 'owner') },
    }),
  );
  const end = useDeed((person: Person) =>
    perform(
      'POST /admin/v1/people/{person_id}/sign_out',
      { path: { person_id: person.person_id } },
      texts.endOf(person.name),
    ),
  );
  // The list, which is read again after an answer that was lost, may show that it was done.
  const isSet = people.items?.some(
    (person) => person.person_id === setRole.variables?.personId && operatorRoleOf(person) === setRole.variables.role,
  );
  const error = isSet === true ? null : setRole.error;
  return (
    <ListPanel
      pages={people}
      more="Show more"
      title="People"
      hint="Everybody who has signed in. Groups of the sign-in provider may give roles, too."
      aside={may('POST /admin/v1/invitations') && <InviteButton to="anywhere" />}
      above={
        <>
          <ErrorNote title={teamTexts.members.failed} unknown={teamTexts.members.unknown} error={error} />
          <KnownKeys source={OF_SERVICE} of={leaving} onClose={() => setLeaving(null)} />
        </>
      }
      empty="Nobody has signed in yet."
      rowKey={(person) => person.person_id}
      columns={[
        {
          head: 'Name',
          phone: 'title',
          cell: ({ name, email }) => <Named name={name} more={email !== name && email} />,
        },
        { head: 'Roles', phone: 'note', cell: rolesOf },
        {
          head: 'Operators',
          cell: (person) =>
            !may('PUT /admin/v1/people/{person_id}/role') ? (
              OPERATOR_CHOICES.find(({ value }) => value === operatorRoleOf(person))?.label
            ) : (
              <Select
                size="xs"
                aria-label={`Role of ${person.name} among the operators`}
                data={OPERATOR_CHOICES}
                value={operatorRoleOf(person)}
                allowDeselect={false}
                onChange={(role) => setRole.mutate({ personId: person.person_id, role: role ?? NONE })}
              />
            ),
        },
        {
          head: 'Signed in',
          phone: 'note',
          cell: ({ sessions }) => (sessions === 1 ? 'in 1 place' : `in ${sessions} places`),
        },
      ]}
      deeds={[
        {
          word: 'Sign out',
          name: ({ name }) => texts.endOf(name),
          deed: end,
          failed: teamTexts.members.failed,
          unknown: teamTexts.members.unknown,
        },
        may('DELETE /admin/v1/people/{person_id}') && {
          word: teamTexts.members.remove,
          name: ({ name }) => `Remove the person ${name}`,
          title: ({ name }) => `Remove ${name}?`,
          form: (person, onClose) => (
            <RemovePersonForm
              person={person}
              onClose={onClose}
              onRemoved={(keys) => {
                onClose();
                if (keys.length > 0) setLeaving({ name: person.name, keys });
              }}
            />
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

/** Removes a person from the service. */
function RemovePersonForm({
  person,
  onClose,
  onRemoved,
}: {
  readonly person: Person;
  readonly onClose: () => void;
  /** @param keys that the person knows; none if the answer was lost */
  readonly onRemoved: (keys: KeysOfLeaver['keys']) => void;
}) {
  const path = { person_id: person.person_id };
  const remove = useDeed(
    () => perform('DELETE /admin/v1/people/{person_id}', { path }),
    (removed: DataOf<'DELETE /admin/v1/people/{person_id}'> | undefined) => onRemoved(removed?.keys ?? []),
  );
  return (
    <DialogForm deed={remove} texts={teamTexts.removal} isGrave onClose={onClose}>
      <Text size="sm">
        Name, email address, roles and sessions go at once. Their orders stay; to erase what these contain, request an
        erasure of this end user: <Code>{person.person_id}</Code>
      </Text>
    </DialogForm>
  );
}
