import { Alert, Button, Code } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Suspense } from 'react';
import { refusedKeyStore } from '../api/client.ts';
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
  const allowed = page.needs === 'admin' ? session.keys.admin !== undefined : orderingKey(session) !== null;
  if (!allowed) return page.needs === 'admin' ? <AdminKeyMissing /> : <OrderingKeyMissing />;
  const PageComponent = page.component;
  return (
    <ErrorBoundary key={page.name}>
      <Suspense fallback={<PageLoading />}>
        <PageComponent />
      </Suspense>
    </ErrorBoundary>
  );
}

function OrderingKeyMissing() {
  const { title, text, action } = frameTexts.needsOrderingKey;
  return (
    <EmptyState
      icon={<IconKey size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
      title={title}
      text={text}
      action={<Button onClick={() => addKeyStore.set(true)}>{action}</Button>}
    >
      <RefusedKey isAdmin={false} />
    </EmptyState>
  );
}

function AdminKeyMissing() {
  const { title, text, command, action } = frameTexts.needsAdminKey;
  return (
    <EmptyState
      icon={<IconKey size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
      title={title}
      text={text}
      action={<Button onClick={() => addKeyStore.set(true)}>{action}</Button>}
    >
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
