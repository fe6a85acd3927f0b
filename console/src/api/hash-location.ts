import { useHashLocation } from 'wouter/use-hash-location';

/**
 * Returns wouter's location: the path after `#`. The query stands behind it, also after `#`; wouter's own hook would
 * write it before the `#` and keep it for the next page.
 */
export function useHashPath(): [string, typeof navigate] {
  const [location] = useHashLocation();
  return [location.split('?', 1)[0] ?? '/', navigate];
}

useHashPath.hrefs = (path: string) => `#${path}`;

/** Returns the path after `#`, outside of components. */
export function hashPath(): string {
  return `/${window.location.hash.replace(/^#?\/?/, '').split('?', 1)[0]}`;
}

/** Returns the query after `#`, without its question mark. */
export function useHashQuery(): string {
  const [location] = useHashLocation();
  const start = location.indexOf('?');
  return start < 0 ? '' : location.slice(start + 1);
}

function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const oldURL = window.location.href;
  const next = new URL(oldURL);
  next.hash = to;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', next.href);
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: next.href }));
}
