import type { TaskView as Task } from '@darkroom-service/contract';
import { Button, Group, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { BOARD } from '../../../api/marks.ts';
import { retag, tagsNow } from '../../../api/tagging.ts';
import { useApi } from '../../../api/use-api.ts';
import { draggedTask, isTask } from '../../../components/dragged.ts';
import type { Selection } from '../../../components/selection/use-selection.ts';
import classes from './boards.module.css';

const MOST = 100;
const LONGEST = 40 - BOARD.length;

/**
 * The key's boards, onto which results can be dropped. A board is a tag. A result dropped while a board is shown moves
 * from that board.
 */
export function Boards({
  shown,
  tasks,
  selection,
  onShow,
}: {
  /** Tag by which the list is filtered. */
  readonly shown: string;
  readonly tasks: readonly Task[];
  readonly selection: Selection;
  readonly onShow: (tag: string) => void;
}) {
  const { data } = useApi('GET /v1/tags', { query: { limit: MOST, after: BOARD } });
  const [isNaming, setNaming] = useState(false);
  const [made, setMade] = useState<readonly string[]>([]);
  const stored = (data?.items ?? []).filter(({ tag }) => tag.startsWith(BOARD));
  const names = new Set([...stored.map(({ tag }) => tag), ...made, ...(shown.startsWith(BOARD) ? [shown] : [])]);
  const put = (ids: readonly string[], board: string) => {
    if (board === shown) return;
    const from = shown.startsWith(BOARD) ? [shown] : [];
    const changes = tasks
      .filter(({ task_id: id }) => ids.includes(id))
      .map(({ task_id: taskId, tags = [] }) => ({
        taskId,
        before: tagsNow(taskId, tags),
        change: { add: [board], remove: from },
      }));
    const name = board.slice(BOARD.length);
    void retag(changes, (count) => `${count === 1 ? 'Put' : `${count} orders put`} on the board ${name}`);
  };
  const drop = (board: string) => (taskId: string) => put(selection.has(taskId) ? selection.ids : [taskId], board);
  return (
    <Group component="nav" gap={6} aria-label="Boards">
      {names.size > 0 && (
        <Board name="All orders" isShown={!shown.startsWith(BOARD)} onShow={() => onShow('')} onDropped={null} />
      )}
      {[...names].sort().map((tag) => (
        <Board
          key={tag}
          name={tag.slice(BOARD.length)}
          count={stored.find((one) => one.tag === tag)?.tasks}
          isShown={tag === shown}
          onShow={() => (selection.ids.length > 0 && tag !== shown ? put(selection.ids, tag) : onShow(tag))}
          isTarget={selection.ids.length > 0 && tag !== shown}
          onDropped={drop(tag)}
        />
      ))}
      {isNaming ? (
        <NewBoard
          onNamed={(name) => {
            setNaming(false);
            if (name !== '') setMade([...made, `${BOARD}${name}`]);
          }}
        />
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => setNaming(true)}
        >
          New board
        </Button>
      )}
    </Group>
  );
}

function Board({
  name,
  count,
  isShown,
  isTarget = false,
  onShow,
  onDropped,
}: {
  readonly name: string;
  readonly count?: number | undefined;
  readonly isShown: boolean;
  /** Whether a press adds the selected orders to the board. */
  readonly isTarget?: boolean;
  readonly onShow: () => void;
  readonly onDropped: ((taskId: string) => void) | null;
}) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    if (onDropped === null || !isTask(event)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    const taskId = draggedTask(event);
    if (onDropped === null || taskId === null) return;
    event.preventDefault();
    event.stopPropagation();
    onDropped(taskId);
  };
  return (
    <button
      type="button"
      className={classes.board}
      aria-pressed={isShown}
      aria-label={isTarget ? `Put the selected orders on ${name}` : undefined}
      data-over={isOver || undefined}
      data-target={isTarget || undefined}
      onClick={onShow}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span className="truncate" dir="auto">
        {name}
      </span>
      {count !== undefined && <span className={`${classes.count} figures`}>{count}</span>}
    </button>
  );
}

function NewBoard({ onNamed }: { readonly onNamed: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onNamed(name.trim());
      }}
    >
      <TextInput
        size="xs"
        autoFocus
        aria-label="Name of the board"
        placeholder="Name, then Enter"
        maxLength={LONGEST}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => onNamed(name.trim())}
        onKeyDown={(event) => event.key === 'Escape' && onNamed('')}
      />
    </form>
  );
}
