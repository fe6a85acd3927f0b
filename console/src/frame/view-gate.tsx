import { Alert, Code } from '@mantine/core';
import { IconKey, IconPlugOff, IconUsers } from '@tabler/icons-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import { refusedKeyStore } from '../api/client.ts';
import { useOffers } from '../api/offered.ts';
import { useRole } from '../api/person.ts';
import { orderingKey, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { EmptyState } from '../components/empty-state.tsx';
import type { Place, View } from '../pages.ts';
import { frameTexts } from '../texts/frame.ts';
import { useAccess } from './access.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PageLoading } from './page-loading.tsx';
import { addKeyStore } from './session-acts.ts';
import classes from './view-tabs.module.css';

const FIRST = 'Go to your first page';

/** Shows a view if the session may use it, otherwise its requirements. `/` leads to the first permitted place. */
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

/** The page for an address without a view. */
export function NotFound() {
  return (
    <EmptyState
      title={frameTexts.notFound}
      text="The address may be incomplete."
      action="Go to the first page"
      href="/"
    />
  );
}

function Refusal({ view, href }: { readonly view: View; readonly href: string }) {
  const session = useSession();
  const role = useRole();
  const offers = useOffers();
  if (![view.needs, view.or].some((operation) => operation !== undefined && offers(operation)))
    return (
      <EmptyState
        icon={IconPlugOff}
        title="This service does not have this page"
        text="Its operator has closed this part of the service."
        action={FIRST}
        href={href}
      />
    );
  const isForOperators = view.needs.includes(' /admin/');
  const hasKey = isForOperators ? session.keys.admin !== undefined : orderingKey(session) !== null;
  if (hasKey || role !== null)
    return (
      <EmptyState
        icon={IconUsers}
        title="This is not part of your role"
        text="Ask a manager of your account for another role."
        action={FIRST}
        href={href}
      />
    );
  const addKey = { icon: IconKey, onAction: () => addKeyStore.set(true) };
  if (isForOperators)
    return (
      <EmptyState
        {...addKey}
        title="This page needs an admin key"
        text="Keys, accounts and engines are managed with a key that begins with dk_admin_. To create one, run"
        action="Add an admin key"
      >
        <RefusedKey isAdmin />
        <Code>npm run -s darkroom -- keys create --mode admin</Code>
      </EmptyState>
    );
  return (
    <EmptyState
      {...addKey}
      title="Add a test or live key"
      text="Images, videos and their costs belong to the key that ordered them. An admin key cannot order."
      action={frameTexts.addKey}
    >
      <RefusedKey isAdmin={false} />
    </EmptyState>
  );
}

/** The reason why a key was removed, such as its revocation. */
function RefusedKey({ isAdmin }: { readonly isAdmin: boolean }) {
  const refused = useStore(refusedKeyStore);
  if (refused === null || (refused.kind === 'admin') !== isAdmin) return null;
  return (
    <Alert variant="light" color="red" role="alert" maw="60ch">
      {refused.message}
    </Alert>
  );
}

/** The views of a place as tabs, above the open one. A place with a single view has none. */
function ViewTabs({ place, view }: { readonly place: Place; readonly view: View }) {
  const tabs = place.views.filter(({ isLinked }) => isLinked !== true);
  const list = useRef<HTMLElement>(null);
  // On a phone they scroll, and fade where more follows.
  const [more, setMore] = useState({ before: false, after: false });
  const measure = useCallback(() => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = list.current ?? {};
    const [before, after] = [scrollLeft > 1, scrollWidth - clientWidth - scrollLeft > 1];
    setMore((known) => (known.before === before && known.after === after ? known : { before, after }));
  }, []);
  useEffect(() => {
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [measure]);
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>(`[data-view="${view.name}"]`) ?? null;
    if (list.current === null || open === null) return;
    list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.offsetWidth) / 2;
    measure();
  }, [view.name, measure]);
  if (tabs.length < 2) return null;
  return (
    <nav
      ref={list}
      className={classes.tabs}
      aria-label={`Views of ${place.name}`}
      data-before={more.before || undefined}
      data-after={more.after || undefined}
      onScroll={measure}
    >
      {tabs.map(({ name, path }) => (
        <Link key={name} href={path} data-view={name} aria-current={name === view.name ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
