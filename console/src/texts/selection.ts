import { locale } from './locale.ts';

/** Texts of selections of results, in the history and on the light table. */
export const selectionTexts = {
  select: (name: string) => `Select ${name}`,
  bar: 'Selection',
  count: (count: string) => `${count} selected`,
  none: 'Nothing selected',
  all: (count: string) => `Select all ${count}`,
  clear: 'Clear',
  share: 'Share',
  shareTitle: 'Share the selected results',
  withoutResult: (count: number) =>
    count === 1 ? '1 selected order has no result.' : `${count.toLocaleString(locale)} selected orders have no result.`,
  save: 'Download',
  saving: (done: number, all: number) => `${done} of ${all} files`,
  saveFailed: 'The download failed',
  incomplete: (count: number) =>
    count === 1
      ? '1 file could not be loaded; it is missing in the ZIP.'
      : `${count} files could not be loaded; they are missing in the ZIP.`,
  star: 'Star',
  unstar: 'Remove the star',
  reject: 'Reject',
  unreject: 'Do not reject',
  tags: 'Tags',
  tagField: 'Tags of the selected orders',
  tagHelp: 'A tag that you add is added to all of them; one that you remove is removed from all.',
  tagPlaceholder: 'A tag, then Enter',
  tagApply: 'Change the tags',
  changing: (done: number, all: number) => `${done} of ${all} changed`,
  changeFailed: (done: number, all: number) => `The tags of ${done} of ${all} orders were changed, then it failed`,
  remove: 'Delete',
  removeUnfinished: (count: number) =>
    count === 1
      ? '1 selected order is still under way. It is not deleted.'
      : `${count.toLocaleString(locale)} selected orders are still under way. They are not deleted.`,
  removing: (done: number, all: number) => `${done} of ${all} deleted`,
  removeFailed: (done: number, all: number) => `${done} of ${all} orders were deleted, then it failed`,
  undo: {
    undo: 'Undo',
    key: 'Ctrl+Z',
    done: (what: string) => `Undone: ${what}`,
    failed: (reason: string) => `Could not undo it. ${reason}`,
  },
} as const;
