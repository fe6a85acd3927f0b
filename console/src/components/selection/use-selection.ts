import { useCallbackRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';

/** The tasks of a list that the user has chosen to act on together. */
export interface Selection {
  /** In the order of the list; only those that it still has. */
  readonly ids: readonly string[];
  /** The one that was toggled last, where a range begins. */
  readonly last: string | null;
  has(taskId: string): boolean;
  /** Chooses one or takes it back; as a range, all from the last one to this. It is always the same function. */
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
 * @param scope what the list is of: another one begins with nothing chosen
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
