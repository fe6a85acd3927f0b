import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Place, View } from '../pages.ts';
import { frameTexts } from '../texts/frame.ts';
import classes from './view-tabs.module.css';

/** The views of a place as tabs, above the open one. A place with a single view has none. */
export function ViewTabs({ place, view }: { readonly place: Place; readonly view: View }) {
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
