import type { Medium } from './read-media.ts';
import { invalid } from './read-values.ts';
import type { SentOrder } from './sent-order.ts';

/** Turn of a conversation. */
export interface Turn {
  readonly isUser: boolean;
  readonly texts: readonly string[];
  readonly media: readonly Medium[];
}

/**
 * Returns what the last turn of the user orders. If it has no file, the picture that the model made last is changed.
 * @param param the field of the conversation, for errors
 * @throws ServiceError if the user says nothing
 */
export function lastOrder(turns: readonly Turn[], param: string): Pick<SentOrder, 'prompt' | 'media'> {
  const at = turns.findLastIndex(({ isUser }) => isUser);
  const { texts = [], media = [] } = turns[at] ?? {};
  if (texts.length === 0 && media.length === 0)
    throw invalid(param, 'expected a text or an image in the last turn of the user');
  const made = turns
    .slice(0, at)
    .findLast(({ isUser }) => !isUser)
    ?.media.findLast(({ kind }) => kind === 'image');
  return {
    prompt: texts.length === 0 ? null : texts.join('\n'),
    media: media.length === 0 && made !== undefined ? [made] : media,
  };
}
