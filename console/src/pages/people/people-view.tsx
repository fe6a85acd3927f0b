import { Stack } from '@mantine/core';
import { useMay } from '../../api/may.ts';
import { Invitations } from './invitations.tsx';
import { MembersPanel } from './members-panel.tsx';
import { PeoplePanel } from './people-panel.tsx';

/** The members of the account for its managers, everybody who has signed in for operators, and who is invited. */
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
