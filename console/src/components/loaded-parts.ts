import { startTransition, useEffect, useState } from 'react';
import type { Part } from './lazy-part.ts';

/**
 * Loads parts after a component is mounted: what its first look does not need.
 * @param parts the same array on every call
 * @returns true once they are loaded, or missing
 */
export function useLoadedParts(parts: readonly Pick<Part<never>, 'request'>[]): boolean {
  const [areLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void Promise.all(parts.map((part) => part.request())).then(() => {
      if (isMounted) startTransition(() => setLoaded(true));
    });
    return () => {
      isMounted = false;
    };
  }, [parts]);
  return areLoaded;
}
