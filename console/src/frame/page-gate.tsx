import { Alert, Code } from '@mantine/core';
import { IconKey, IconUsers } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Redirect, useLocation } from 'wouter';
import { refusedKeyStore } from '../api/client.ts';
import { useStore } from '../api/store.ts';
import { EmptyState } from '../components/empty-state.tsx';
import type { Page } from '../pages.ts';
import { frameTexts } from '../texts/frame.ts';
import { useAccess } from './access.ts';
import { addKeyStore } from './add-key.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PageLoading } from './page-loading.tsx';

/** Shows a page if the session may use it, else what it needs. The address `/` leads to the first page it may use. */
export function PageGate({ page }: { readonly page: Page }) {
  const { obstacleTo, open } = useAccess();
  const [location] = useLocation();
  const refused = useStore(refusedKeyStore);
  const obstacle = obstacleTo(page);
  const first = open[0];
  if (obstacle !== null) {
    if (location === '/' && first !== undefined && refused === null) return <Redirect to={first.path} replace />;
    if (obstacle === 'role') return <NotForRole href={first?.path ?? '/'} />;
    return obstacle === 'no-ordering-key' ? <OrderingKeyMissing /> : <AdminKeyMissing />;
  }
  const PageComponent = page.component;
  return (
    <ErrorBoundary key={page.name}>
      <Suspense fallback={<PageLoading />}>
        <PageComponent />
      </Suspense>
    </ErrorBoundary>
  );
}

function NotForRole({ href }: { readonly href: string }) {
  return <EmptyState {...frameTexts.notForRole} icon={IconUsers} href={href} />;
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
