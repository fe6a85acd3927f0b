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
import { addKeyStore } from './add-key.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PageLoading } from './page-loading.tsx';
import classes from './view-tabs.module.css';

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

/** What an address leads to that has no view. */
export function NotFound() {
  return <EmptyState {...frameTexts.notFound} href="/" />;
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
      aria-label={`Views of ${frameTexts.places[place.name]}`}
      data-before={more.before || undefined}
      data-after={more.after || undefined}
      onScroll={measure}
    >
      {tabs.map(({ name, path }) => (
        <Link key={name} href={path} data-view={name} aria-current={name === view.name ? 'page' : undefined}>
          {frameTexts.views[name]}
        </Link>
      ))}
    </nav>
  );
}
