import { Alert, Code } from '@mantine/core';
import { IconKey, IconUsers } from '@tabler/icons-react';
import { Suspense } from 'react';
import { refusedKeyStore } from '../api/client.ts';
import { personStore, useRole } from '../api/person.ts';
import { orderingKey, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { EmptyState } from '../components/empty-state.tsx';
import type { Page } from '../pages.ts';
import { frameTexts } from '../texts/frame.ts';
import { addKeyStore } from './add-key.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PageLoading } from './page-loading.tsx';

/** Shows a page if the session has the necessary key, and otherwise how to get one. */
export function PageGate({ page }: { readonly page: Page }) {
  const session = useSession();
  const { person } = useStore(personStore);
  const role = useRole();
  const isAdmin = session.keys.admin !== undefined;
  const allowed = {
    admin: isAdmin,
    ordering: orderingKey(session) !== null,
    person: person !== null || isAdmin,
  }[page.needs];
  if (!allowed) return page.needs === 'ordering' ? <OrderingKeyMissing /> : <AdminKeyMissing />;
  if (role !== null && page.notFor?.includes(role) === true) return <NotForRole />;
  const PageComponent = page.component;
  return (
    <ErrorBoundary key={page.name}>
      <Suspense fallback={<PageLoading />}>
        <PageComponent />
      </Suspense>
    </ErrorBoundary>
  );
}

function NotForRole() {
  return <EmptyState {...frameTexts.notForRole} icon={IconUsers} href="/team" />;
}

function OrderingKeyMissing() {
  return (
    <EmptyState {...frameTexts.needsOrderingKey} icon={IconKey} onAction={() => addKeyStore.set(true)}>
      <RefusedKey isAdmin={false} />
    </EmptyState>
  );
}

function AdminKeyMissing() {
  const { command, ...words } = frameTexts.needsAdminKey;
  return (
    <EmptyState {...words} icon={IconKey} onAction={() => addKeyStore.set(true)}>
      <RefusedKey isAdmin />
      <Code>{command}</Code>
    </EmptyState>
  );
}

/** Why the key that was there is gone, such as its revocation. */
function RefusedKey({ isAdmin }: { readonly isAdmin: boolean }) {
  const refused = useStore(refusedKeyStore);
  if (refused === null || (refused.kind === 'admin') !== isAdmin) return null;
  return (
    <Alert variant="light" color="red" role="alert" maw="60ch">
      {refused.message}
    </Alert>
  );
}
