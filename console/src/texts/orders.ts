import { inWords } from './in-words.ts';

/** Texts of the open orders: the tray of every page, and the question at sign-out. */
export const orderTexts = {
  ofMode: { test: 'Test orders', live: 'Live orders' },
  tray: 'Activity',
  none: 'Nothing under way',
  state: (state: string) =>
    state === 'succeeded' ? 'Finished' : state === 'partial' ? 'Finished, some without a result' : inWords(state),
  waitsFor: 'waits for another order',
  cancelOf: (title: string) => `Cancel: ${title}`,
} as const;
