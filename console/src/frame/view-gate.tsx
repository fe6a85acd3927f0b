import { Alert, Code } from '@mantine/core';
import { IconKey, IconPlugOff, IconUsers } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Redirect, useLocation } from 'wouter';
import { refusedKeyStore } from '../api/client.ts';
import { useOffers } from '../api/offered.ts';
import { useRole } from '../api/person.ts';
import { orderingKey, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { EmptyState } from '../components/empty-state.tsx';
import type { Place, View } from '../pages.ts';
import { frameTexts } from '../texts/frame.ts';
import { useAccess } from './access.ts';
import { addKeyStore } from './add-key.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PageLoading } from './page-loading.tsx';
import { ViewTabs } from './view-tabs.tsx';

/** Shows a view if the session may use it, else what it needs. The address `/` leads to the first place it may use. */
export function ViewGate({ place, view }: { readonly place: Place; readonly view: View }) {
  const { isOpen, open } = useAccess();
  const [location] = useLocation();
  const refused = useStore(refusedKeyStore);
  if (!isOpen(view)) {
    const first = open[0];
    if (location === '/' && first !== undefined && refused === null) return <Redirect to={first.path} replace />;
    return <Refusal view={view} href={first?.path ?? '/'} />;
  }
  const Component = view.component;
  return (
    <>
      <ViewTabs place={open.find(({ name }) => name === place.name) ?? place} view={view} />
      <ErrorBoundary key={view.name}>
        <Suspense fallback={<PageLoading />}>
          <Component />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

function Refusal({ view, href }: { readonly view: View; readonly href: string }) {
  const session = useSession();
  const role = useRole();
  const offers = useOffers();
  if (![view.needs, view.or].some((operation) => operation !== undefined && offers(operation)))
    return <EmptyState {...frameTexts.notOffered} icon={IconPlugOff} href={href} />;
  const isForOperators = view.needs.includes(' /admin/');
  const hasKey = isForOperators ? session.keys.admin !== undefined : orderingKey(session) !== null;
  if (hasKey || role !== null) return <EmptyState {...frameTexts.notForRole} icon={IconUsers} href={href} />;
  const { command, ...words } = isForOperators
    ? frameTexts.needsAdminKey
    : { ...frameTexts.needsOrderingKey, command: null };
  return (
    <EmptyState {...words} icon={IconKey} onAction={() => addKeyStore.set(true)}>
      <RefusedKey isAdmin={isForOperators} />
      {command !== null && <Code>{command}</Code>}
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
