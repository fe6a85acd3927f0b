import { Stack } from '@mantine/core';
import { personStore } from '../../api/person.ts';
import { useSession } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { teamTexts } from '../../texts/team.ts';
import { AccountOrders } from './account-orders.tsx';
import { MembersPanel } from './members-panel.tsx';
import { PeoplePanel } from './people-panel.tsx';

/** The people of an account and its orders, and for operators all people. */
export function TeamPage() {
  const { keys } = useSession();
  const { account } = useStore(personStore);
  const role = account?.role ?? null;
  return (
    <>
      <PageHeader title={frameTexts.pages.team} lead={teamTexts.lead} />
      <Stack gap="lg">
        {role === 'manager' && <MembersPanel />}
        {role !== null && role !== 'finance' && <AccountOrders />}
        {keys.admin !== undefined && <PeoplePanel />}
      </Stack>
    </>
  );
}
