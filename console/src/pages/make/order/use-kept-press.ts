import { useEffect, useState } from 'react';

/**
 * Keeps a press until it can be acted on.
 * @returns whether a press is kept, and the function to call at a press
 */
export function useKeptPress(isReady: boolean, act: () => void): readonly [isKept: boolean, press: () => void] {
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    if (!isKept || !isReady) return;
    setKept(false);
    act();
  });
  return [isKept, () => (isReady ? act() : setKept(true))];
}

/** Tells whether keys order the form: Ctrl+Enter, or ⌘Enter. */
export function isOrderKey({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}
