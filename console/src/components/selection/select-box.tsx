import { selectionTexts } from '../../texts/selection.ts';
import classes from './selection.module.css';
import type { Selection } from './use-selection.ts';

/** The checkbox on a tile. With the shift key, it chooses a range. */
export function SelectBox({
  taskId,
  name,
  selection,
  isShown,
  inTabOrder = true,
}: {
  readonly taskId: string;
  /** Of the task, for a screen reader. */
  readonly name: string;
  readonly selection: Selection;
  /** Whether it is shown without the pointer and the focus. */
  readonly isShown: boolean;
  readonly inTabOrder?: boolean;
}) {
  return (
    <label className={classes.box} data-shown={isShown || undefined}>
      <input
        type="checkbox"
        data-select={taskId}
        aria-label={selectionTexts.select(name)}
        checked={selection.has(taskId)}
        {...(inTabOrder ? {} : { tabIndex: -1 })}
        // React reports the change of a checkbox by its click, which tells the shift key.
        onChange={({ nativeEvent }) => selection.toggle(taskId, (nativeEvent as Partial<MouseEvent>).shiftKey === true)}
      />
    </label>
  );
}
