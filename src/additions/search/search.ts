import type { Addition } from '../../kernel.ts';

/** Lets customers find their tasks by words of the prompt. */
export const SEARCH: Addition = {
  name: 'search',
  async http() {
    const { searchLists } = await import('./search-lists.ts');
    return { lists: searchLists() };
  },
};
