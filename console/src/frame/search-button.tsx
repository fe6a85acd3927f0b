import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../components/lazy-part.ts';
import classes from './frame.module.css';

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette);

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Opens the search over everything, also by ⌘K or Ctrl+K.
 * @param isReady whether it is loaded now, so that the first letters typed after the keys are not lost
 */
export function SearchButton({ isReady }: { readonly isReady: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isReady) void Palette.request();
  }, [isReady]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, altKey, shiftKey, metaKey, ctrlKey } = event;
      if (key.toLowerCase() !== 'k' || altKey || shiftKey || !(isApple ? metaKey : ctrlKey)) return;
      event.preventDefault();
      // A dialog may hold what somebody has typed.
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
