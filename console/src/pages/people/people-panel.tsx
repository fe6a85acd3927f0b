import { Code, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { perform, useDeed } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { personStore } from '../../api/person.ts';
import { useStore } from '../../api/store.ts';
import { usePages } from '../../api/use-api.ts';
import { DeedForm } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Named } from '../../components/words.tsx';
import { formatMany } from '../../format.ts';
import { inWords } from '../../texts/in-words.ts';
import { choicesOf, InviteButton } from './invite-button.tsx';
import { OF_SERVICE } from './key-source.ts';
import { KnownKeys, type Leaver, ROLE_UNCHANGED } from './known-keys.tsx';

type Person = DataOf<'GET /admin/v1/people'>['items'][number];
interface RoleChange {
  readonly person_id: string;
  readonly role: string;
}
const NONE = 'none';
const OPERATOR_CHOICES = [{ value: NONE, label: 'None' }, ...choicesOf(['operator', 'owner'])];

/** All people who have signed in, for operators. Owners change their roles. */
export function PeoplePanel() {
  const may = useMay();
  const { signInUrl } = useStore(personStore);
  const [leaving, setLeaving] = useState<Leaver | null>(null);
  const people = usePages('GET /admin/v1/people', { limit: 50 }, ({ person_id: id }) => id);
  const setRole = useDeed(({ person_id, role }: RoleChange) =>
    perform('PUT /admin/v1/people/{person_id}/role', {
      path: { person_id },
      body: { account_id: null, role: role === NONE ? null : (role as 'operator' | 'owner') },
    }),
  );
  const change = setRole.variables;
  // The list, refetched after a lost answer, may show that the change was made.
  const isSet = people.items?.some((one) => one.person_id === change?.person_id && operatorRoleOf(one) === change.role);
  const signOutOf = (name: string) => `Sign out: ${name}, everywhere`;
  return (
    <ListPanel
      pages={people}
      more="Show more"
      title="People"
      hint="Everybody who has signed in. Groups of the sign-in provider may give roles, too."
      aside={
        may('POST /admin/v1/invitations') &&
        (signInUrl === null ? (
          <Text size="sm">Nobody can be invited: set DARKROOM_OIDC_ISSUER, so that people can sign in.</Text>
        ) : (
          <InviteButton to="anywhere" />
        ))
      }
      above={
        <>
          <ErrorNote title={ROLE_UNCHANGED} error={isSet === true ? null : setRole.error} />
          <KnownKeys source={OF_SERVICE} of={leaving} onClose={() => setLeaving(null)} />
        </>
      }
      empty="Nobody has signed in yet."
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
                onChange={(role) => setRole.mutate({ person_id: person.person_id, role: role ?? NONE })}
              />
            ),
        },
        {
          head: 'Signed in',
          phone: 'note',
          cell: ({ sessions }) => `in ${formatMany(sessions, 'place')}`,
        },
      ]}
      deeds={[
        {
          word: 'Sign out',
          name: ({ name }) => signOutOf(name),
          act: ({ person_id, name }) =>
            perform('POST /admin/v1/people/{person_id}/sign_out', { path: { person_id } }, signOutOf(name)),
          failed: ROLE_UNCHANGED,
        },
        may('DELETE /admin/v1/people/{person_id}') && {
          word: 'Remove',
          name: ({ name }) => `Remove the person ${name}`,
          title: ({ name }) => `Remove ${name}?`,
          form: (person) => <RemovePersonForm person={person} onRemoved={setLeaving} />,
        },
      ]}
    />
  );
}

function operatorRoleOf({ memberships }: Person): string {
  return memberships.find(({ account_id }) => account_id === null)?.role ?? NONE;
}

function rolesOf({ memberships }: Person): string {
  const inAccounts = memberships.filter(({ account_id }) => account_id !== null);
  return inAccounts.map(({ account_id, role }) => `${inWords(role)} (${account_id})`).join(', ') || 'None';
}

/** Removes a person from the service. */
function RemovePersonForm({
  person: { person_id, name },
  onRemoved,
}: {
  readonly person: Person;
  readonly onRemoved: (leaver: Leaver) => void;
}) {
  return (
    <DeedForm
      act={() => perform('DELETE /admin/v1/people/{person_id}', { path: { person_id } })}
      // Undefined if the answer was lost.
      onDone={(removed: Pick<Leaver, 'keys'> | undefined) => onRemoved({ name, keys: removed?.keys ?? [] })}
      submit="Remove permanently"
      failed="The person was not removed"
      isGrave
    >
      <Text size="sm">
        Name, email address, roles and sessions go at once. Their orders stay; to erase what these contain, request an
        erasure of this end user: <Code>{person_id}</Code>
      </Text>
    </DeedForm>
  );
}
