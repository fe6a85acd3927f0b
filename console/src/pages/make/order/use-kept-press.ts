import { useEffect, useState } from 'react';
import { orderingKey, useSession } from '../../../api/session.ts';

/**
 * Keeps a press until it can be acted on. It counts for the key that was in use, so a test press never orders live.
 * @returns whether a press is kept, and the function to call at a press
 */
export function useKeptPress(isReady: boolean, act: () => void): readonly [isKept: boolean, press: () => void] {
  const key = orderingKey(useSession());
  const [keptFor, setKeptFor] = useState<string | null>(null);
  useEffect(() => {
    if (keptFor === null || (keptFor === key && !isReady)) return;
    setKeptFor(null);
    if (keptFor === key) act();
  });
  return [keptFor !== null, () => (isReady ? act() : setKeptFor(key))];
}

/** Tells whether keys order the form: Ctrl+Enter, or ⌘Enter. */
export function isOrderKey({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}
