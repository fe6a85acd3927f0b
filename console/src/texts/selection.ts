import { locale } from './locale.ts';

/** Texts of selections of results, on the wall and on a table. */
export const selectionTexts = {
  count: (count: string) => `${count} selected`,
  withoutResult: (count: number) =>
    count === 1 ? '1 selected order has no result.' : `${count.toLocaleString(locale)} selected orders have no result.`,
  saving: (done: number, all: number) => `${done} of ${all} files`,
  incomplete: (count: number) =>
    count === 1
      ? '1 file could not be loaded; it is missing in the ZIP.'
      : `${count} files could not be loaded; they are missing in the ZIP.`,
  removeUnfinished: (count: number) =>
    count === 1
      ? '1 selected order is still under way. It is not deleted.'
      : `${count.toLocaleString(locale)} selected orders are still under way. They are not deleted.`,
  undo: {
    done: (what: string) => `Undone: ${what}`,
  },
} as const;
