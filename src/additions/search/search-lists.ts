import { Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import type { TaskListAddition } from '../../kernel-http.ts';
import { readSearch, searchTasks } from './search-tasks.ts';

const query = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'words that the prompt or the model_id contains, in any order and case; or one exact task_id. Page with `next_after`.',
    }),
  ),
};
type Sent = { readonly search?: string } & Partial<Record<'offset' | 'page', number>>;

/** Creates the search of lists of tasks. */
export function searchLists({ http }: Pick<ServingKernel, 'http'>): TaskListAddition {
  return {
    query,
    behind: 'batch_id',
    find(sent: Sent, pager, fault) {
      if (sent.search === undefined) return null;
      if (sent[pager] !== undefined) {
        fault(
          pager,
          `'${pager}' and 'search' cannot be combined. Send 'next_after' of the previous page as 'after' instead.`,
        );
      }
      const search = readSearch(sent.search);
      if (search.words.length === 0) fault('search', "'search' must contain a word or a task_id; found only spaces.");
      return async (request, reply, key, type, filters) => {
        http.budgets(reply, key, ['reports']);
        return await searchTasks(http.linked(request), key, type, { ...filters, search });
      };
    },
  };
}
