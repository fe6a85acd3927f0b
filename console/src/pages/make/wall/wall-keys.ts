/** Elements that use letters and arrow keys themselves. */
const USES_KEYS =
  'input:not([type="checkbox"]), textarea, select, video, [role="combobox"], [role="slider"], [role="menu"], [role="listbox"], [role="tab"]';
const USES_SPACE = 'button, input, summary, [role="button"]';

/** Tells whether a key belongs to a field, or to a dialog over the wall or the table. */
export function isForOthers({ target, altKey, ctrlKey, metaKey, isComposing, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || altKey || ctrlKey || metaKey || isComposing) return true;
  if (target.closest(USES_KEYS) !== null) return true;
  if ((key === ' ' || key === 'Enter') && target.closest(USES_SPACE) !== null) return true;
  return document.querySelector('[role="dialog"]') !== null;
}
