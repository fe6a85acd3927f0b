import { useEffect, useState } from 'react';

/** The time in milliseconds since 1970, read again so often: an age grows also while nothing else changes. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
