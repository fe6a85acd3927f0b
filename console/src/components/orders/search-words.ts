import type { Page } from '../../api/use-api.ts';
import { formatMoment } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';

/** Properties by which the operators' list finds orders. */
export const SEARCHED = 'Order, customer, account, key, request, metadata, words';
/** Number of characters of an order's id. */
const ID_LENGTH = 30;
const FOUND_BY = {
  task: (text: string) => (text.length < ID_LENGTH ? 'The orders whose ids begin so.' : 'The order with this id.'),
  request: () => 'The orders that this request placed or named.',
  end_user: (text: string) => `Orders of the customer ${text}.`,
  account: (text: string) => `Orders of accounts named ${text}.`,
  key: (text: string) => `Orders of keys named ${text}.`,
  text: (text: string) => `Orders with the words ${text}.`,
};

/**
 * Returns the texts for a search of orders: the kind of match, and the time searched so far. @param hint text without a
 * search
 */
export function searchWords(
  pages: readonly Pick<Page<unknown>, 'found_by' | 'searched_since'>[] | undefined,
  text: string,
  hint: string,
) {
  const by = pages?.[0]?.found_by ?? null;
  const since = pages?.at(-1)?.searched_since ?? null;
  return {
    hint: by === null || text === '' ? hint : FOUND_BY[by](text),
    more: since === null ? frameTexts.more : `Searched back to ${formatMoment(since)}. Search further`,
  };
}
