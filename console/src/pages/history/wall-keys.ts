import { useWindowEvent } from '@mantine/hooks';

/** Elements that use letters and arrow keys themselves. */
const USES_KEYS =
  'input:not([type="checkbox"]), textarea, select, video, [role="combobox"], [role="slider"], [role="menu"], [role="listbox"], [role="tab"]';
const USES_SPACE = 'button, input, summary, [role="button"]';

/** Whether a key is for a field, or for a dialog over the element. */
export function isForOthers(event: KeyboardEvent, inside: Element | null): boolean {
  const { target, altKey, ctrlKey, metaKey, isComposing, key } = event;
  if (!(target instanceof Element) || altKey || ctrlKey || metaKey || isComposing) return true;
  if (target.closest(USES_KEYS) !== null) return true;
  if ((key === ' ' || key === 'Enter') && target.closest(USES_SPACE) !== null) return true;
  return [...document.querySelectorAll('[role="dialog"]')].some((dialog) => !dialog.contains(inside));
}

/** Hears the keys of the wall wherever the focus is, unless something else needs them. */
export function useWallKeys(inside: () => Element | null, onKey: (key: string, event: KeyboardEvent) => boolean): void {
  useWindowEvent('keydown', (event) => {
    if (isForOthers(event, inside())) return;
    if (onKey(event.key.length === 1 ? event.key.toLowerCase() : event.key, event)) event.preventDefault();
  });
}
