import { useEffect, useState } from 'react';

/** Returns false while a component is mounted, then true: to load what its first look does not need only after that. */
export function useAfterMount(): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isMounted;
}
