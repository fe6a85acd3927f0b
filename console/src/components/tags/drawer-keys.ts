/** Elements that use letters and arrow keys themselves. */
const USES_KEYS = 'input, textarea, select, video, audio, [role="combobox"]';
const TAG_FIELD = '[data-tag-field]';

/** Whether a key is for a dialog over this one, also if nothing in that has the focus, or means something else. */
export function isForAnother(event: KeyboardEvent, inside: Element | null): boolean {
  const { target, altKey, ctrlKey, metaKey, shiftKey, isComposing } = event;
  if (!(target instanceof Element) || altKey || ctrlKey || metaKey || shiftKey || isComposing) return true;
  return [...document.querySelectorAll('[role="dialog"]')].some((dialog) => !dialog.contains(inside));
}

/** Whether the element with the focus uses the key. */
export function isUsedThere({ target }: KeyboardEvent): boolean {
  return (target as Element).closest(USES_KEYS) !== null;
}

/** Escape closes the field first, not the order. */
export function isForTagField({ target }: KeyboardEvent): boolean {
  return (target as Element).closest(TAG_FIELD) !== null;
}
