import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { queryClient } from './use-api.ts';

/**
 * A deed of a form or a button: `useDeed(() => perform(deed, request), onClose)`. Whatever came of it, everything that
 * the page shows is read again.
 * @param onDone called when it is done and read
 */
export function useDeed<Data, What = void>(
  act: (what: What) => Promise<Data>,
  onDone?: (data: Data, what: What) => unknown,
): UseMutationResult<Data, Error, What> {
  return useMutation({
    mutationFn: act,
    onSuccess: async (data, what) => {
      await queryClient.invalidateQueries();
      await onDone?.(data, what);
    },
    onError: () => void queryClient.invalidateQueries(),
  });
}
