import { useEffect, useState } from 'react';

/** Returns the time in milliseconds since 1970, updated at this interval: ages grow even if nothing else changes. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
