import classes from './selection.module.css';

/** The checkbox on a tile. With the shift key, it chooses a range. */
export function SelectBox({
  taskId,
  name,
  isSelected,
  onToggle,
  isShown,
  inTabOrder = true,
}: {
  readonly taskId: string;
  /** Name of the task, for a screen reader. */
  readonly name: string;
  readonly isSelected: boolean;
  readonly onToggle: (taskId: string, isRange: boolean) => void;
  /** Whether the box is shown without pointer and focus. */
  readonly isShown: boolean;
  readonly inTabOrder?: boolean;
}) {
  return (
    <label className={classes.box} data-shown={isShown || undefined}>
      <input
        type="checkbox"
        data-select={taskId}
        aria-label={`Select ${name}`}
        checked={isSelected}
        {...(inTabOrder ? {} : { tabIndex: -1 })}
        // React reports a checkbox's change by its click event, which contains the shift key.
        onChange={({ nativeEvent }) => onToggle(taskId, (nativeEvent as Partial<MouseEvent>).shiftKey === true)}
      />
    </label>
  );
}
