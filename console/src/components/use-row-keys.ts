import { useEffect } from 'react';

/**
 * Moves the focus between the links of a table's rows by the keys `j` and `k`. Enter opens the focused one.
 * @param label accessible name of the table
 */
export function useRowKeys(label: string, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, altKey, ctrlKey, metaKey, target } = event;
      if ((key !== 'j' && key !== 'k') || altKey || ctrlKey || metaKey || isTyping(target)) return;
      if (document.querySelector('[aria-modal="true"]') !== null) return;
      const links = [...document.querySelectorAll(`table[aria-label="${CSS.escape(label)}"] tbody tr`)].flatMap(
        (row) => row.querySelector('a') ?? [],
      );
      const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement) === true);
      const next = links[at < 0 ? 0 : at + (key === 'j' ? 1 : -1)];
      next?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [label, isOn]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
