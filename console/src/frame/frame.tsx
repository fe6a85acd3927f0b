import { Loader } from '@mantine/core';
import {
  IconActivityHeartbeat,
  IconBook2,
  IconChartBar,
  IconListDetails,
  IconPhotoSpark,
  IconSearch,
  IconUsers,
} from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isUnanswered } from '../api/booked-order.ts';
import { connectionStore } from '../api/connection.ts';
import { useOrderBook } from '../api/order-book.ts';
import { useStore } from '../api/store.ts';
import { BrandMark } from '../components/brand-mark.tsx';
import { lazyPart } from '../components/lazy-part.ts';
import { type Place, viewAt } from '../pages.ts';
import { frameTexts } from '../texts/frame.ts';
import { useAccess } from './access.ts';
import classes from './frame.module.css';
import { pageLoadingStore } from './page-loading.tsx';

const AlertMark = lazyPart(async () => (await import('./alert-mark.tsx')).AlertMark);
const UndoBar = lazyPart(async () => (await import('../components/undo/undo-bar.tsx')).UndoBar);
const FrameFoot = lazyPart(async () => (await import('./frame-foot.tsx')).FrameFoot);

const ICONS = {
  Make: IconPhotoSpark,
  Now: IconActivityHeartbeat,
  Orders: IconListDetails,
  Money: IconChartBar,
  'People and keys': IconUsers,
} satisfies Record<Place['name'], unknown>;

/** The frame of every page: navigation, the key in use, and the state of the connection. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  const current = viewAt(location);
  const main = useRef<HTMLElement>(null);
  const name = current === null ? frameTexts.notFound : current.view.name;

  useEffect(() => {
    document.title = `${name} · ${frameTexts.product}`;
  }, [name]);

  // Moves the focus, so that screen readers announce a page change; not for the first page.
  const before = useRef(name);
  useEffect(() => {
    if (before.current !== name) main.current?.focus({ preventScroll: true });
    before.current = name;
  }, [name]);

  // The effects of the page come before this one.
  const isLoading = useStore(pageLoadingStore);
  const [isPageThere, setPageThere] = useState(false);
  useEffect(() => {
    if (!isLoading && !pageLoadingStore.get()) setPageThere(true);
  }, [isLoading]);

  const { open } = useAccess();
  return (
    <div className={classes.frame}>
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header className={classes.rail}>
        <Link href="/" className={classes.brand ?? ''}>
          <BrandMark />
          <span className={classes.product}>{frameTexts.product}</span>
        </Link>
        <SearchButton isReady={isPageThere} />
        <nav className={classes.pages} aria-label="Pages">
          {open.map((place) => {
            const Icon = ICONS[place.name];
            return (
              <Link
                key={place.name}
                href={place.path}
                className={classes.page ?? ''}
                aria-current={place.name === current?.place.name ? 'page' : undefined}
              >
                <Icon size={20} stroke={1.6} aria-hidden="true" />
                {place.name}
                {place.name === 'Now' && <Suspense>{isPageThere && <AlertMark />}</Suspense>}
              </Link>
            );
          })}
          <a className={`${classes.page} ${classes.reference}`} href="docs" target="_blank" rel="noreferrer">
            <IconBook2 size={20} stroke={1.6} aria-hidden="true" />
            Reference
          </a>
        </nav>
        <div className={classes.foot}>
          <Suspense>{isPageThere && <FrameFoot />}</Suspense>
        </div>
      </header>
      <main ref={main} tabIndex={-1} className={classes.main} aria-label={name}>
        <ConnectionBanner />
        <h1 className="visually-hidden">{name}</h1>
        {children}
      </main>
      <Suspense>{isPageThere && <UndoBar />}</Suspense>
    </div>
  );
}

function ConnectionBanner() {
  const waits = useOrderBook().some((order) => order.kind !== 'deed' && isUnanswered(order));
  if (useStore(connectionStore) === 'up') return null;
  return (
    <div className={classes.banner} role="status">
      <Loader size={14} />
      {frameTexts.unreachable} The console asks again every few seconds.{' '}
      {waits && 'The order without an answer is kept and sent again with its Idempotency-Key: it is not lost.'}
    </div>
  );
}

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette);

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Opens the search over everything, also by ⌘K or Ctrl+K.
 * @param isReady whether the search is loaded, so that the first letters typed after the keys are not lost
 */
function SearchButton({ isReady }: { readonly isReady: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isReady) void Palette.request();
  }, [isReady]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, altKey, shiftKey, metaKey, ctrlKey } = event;
      if (key.toLowerCase() !== 'k' || altKey || shiftKey || !(isApple ? metaKey : ctrlKey)) return;
      event.preventDefault();
      // A dialog may contain unsaved input.
      if (document.querySelector('[aria-modal="true"]') === null) setOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className={classes.search}
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={() => setOpen(true)}
      >
        <IconSearch size={20} stroke={1.6} aria-hidden="true" />
        <span className={classes.searchWord}>Search</span>
        <span aria-hidden="true">
          <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </span>
      </button>
      <Suspense>{isOpen && <Palette onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
