import { useWindowEvent } from '@mantine/hooks';
import { MARKING, MOST_STARS } from '../../api/marks.ts';
import { mark } from '../../api/tagging.ts';
import type { Task } from '../../api/types.ts';
import { historyTexts } from '../../texts/history.ts';

const texts = historyTexts.wall;
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

/**
 * Marks a task by a key: `1` to `5` rate it, `0` takes that back, `s` stars and `x` rejects it.
 * @returns whether it did
 */
export function markByKey(key: string, task: Task | undefined): boolean {
  if (task === undefined) return false;
  const stars = Number(key);
  if (/^\d$/.test(key) && stars <= MOST_STARS)
    mark(
      [task],
      stars === 0 ? () => ({ rating: 0 }) : MARKING.rate(stars),
      stars === 0 ? texts.unrated : texts.rated(stars),
    );
  else if (key === 's') mark([task], MARKING.star, texts.starred(1));
  else if (key === 'x') mark([task], MARKING.reject, texts.rejected(1));
  else return false;
  return true;
}

/** Hears the keys of the wall wherever the focus is, unless something else needs them. */
export function useWallKeys(inside: () => Element | null, onKey: (key: string, event: KeyboardEvent) => boolean): void {
  useWindowEvent('keydown', (event) => {
    if (isForOthers(event, inside())) return;
    if (onKey(event.key.length === 1 ? event.key.toLowerCase() : event.key, event)) event.preventDefault();
  });
}
