import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

/** Does something to many tasks, one after the other, and stops at the first error. */
export function useEach<T>(act: (taskId: string, what: T) => Promise<unknown>, onEnd?: () => Promise<unknown>) {
  const [done, setDone] = useState(0);
  const run = useMutation({
    mutationFn: async ({ taskIds, what }: { readonly taskIds: readonly string[]; readonly what: T }) => {
      setDone(0);
      for (const [index, taskId] of taskIds.entries()) {
        await act(taskId, what);
        setDone(index + 1);
      }
    },
    onSettled: () => onEnd?.(),
  });
  return { run: run.mutate, isRunning: run.isPending, error: run.error, done, all: run.variables?.taskIds.length ?? 0 };
}
