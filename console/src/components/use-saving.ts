import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OnProgress } from './results-zip.ts';

/** Saves results as a file. @param save returns how many of them are missing in it */
export function useSaving<T>(save: (what: T, onProgress: OnProgress) => Promise<number>) {
  const [progress, setProgress] = useState<readonly [done: number, all: number] | null>(null);
  const saving = useMutation({
    mutationFn: (what: T) => save(what, (...count) => setProgress(count)),
    onSettled: () => setProgress(null),
  });
  const { mutate, isPending, error, data: missing = 0 } = saving;
  return { save: mutate, isSaving: isPending, error, missing, progress };
}
