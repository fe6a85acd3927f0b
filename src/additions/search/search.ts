import type { Addition } from '../../kernel.ts';

/** Lets customers find their tasks by words of the prompt. */
export const SEARCH: Addition = {
  name: 'search',
  open: () => ({
    async http(kernel) {
      const { searchLists } = await import('./search-lists.ts');
      return { lists: searchLists(kernel) };
    },
  }),
};
