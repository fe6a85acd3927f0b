import { useCallbackRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';

/** The tasks of a list that the user has chosen to act on together. */
export interface Selection {
  /** Ids in the order of the list; only tasks that it still contains. */
  readonly ids: readonly string[];
  /** The task that was toggled last, at which a range begins. */
  readonly last: string | null;
  has(taskId: string): boolean;
  /** Selects or deselects a task; as a range, all from the last one to this. The function is always the same object. */
  toggle(taskId: string, isRange: boolean): void;
  selectAll(): void;
  clear(): void;
}

interface State {
  readonly scope: string;
  readonly marked: ReadonlySet<string>;
  readonly last: string | null;
}

/**
 * Keeps a selection within a list.
 * @param scope identifies the list; the selection of a new one starts empty
 */
export function useSelection(all: readonly string[], scope: string): Selection {
  const [state, setState] = useState<State>({ scope, marked: new Set(), last: null });
  const { marked, last } = state.scope === scope ? state : { marked: new Set<string>(), last: null };
  const ids = useMemo(() => (marked.size === 0 ? [] : all.filter((id) => marked.has(id))), [all, marked]);
  const shown = useMemo(() => new Set(ids), [ids]);
  const toggle = useCallbackRef((taskId: string, isRange: boolean) => {
    if (!all.includes(taskId)) return;
    const range = isRange && last !== null ? between(all, last, taskId) : [taskId];
    const isChosen = range.length > 1 ? last !== null && shown.has(last) : !shown.has(taskId);
    const others = ids.filter((id) => !range.includes(id));
    setState({ scope, marked: new Set(isChosen ? [...others, ...range] : others), last: taskId });
  });
  return {
    ids,
    last,
    has: (taskId) => shown.has(taskId),
    toggle,
    selectAll: () => setState({ scope, marked: new Set(all), last }),
    clear: () => setState({ scope, marked: new Set(), last: null }),
  };
}

function between(all: readonly string[], from: string, to: string): readonly string[] {
  const [first, second] = [all.indexOf(from), all.indexOf(to)];
  if (first < 0 || second < 0) return [to];
  return all.slice(Math.min(first, second), Math.max(first, second) + 1);
}
