import { translated } from './page-language.ts';

/** Texts of the limits of end users. */
export const endUserTexts = translated('endUsers', {
  title: 'End users',
  hint: 'Your own customers, by the end_user of their orders. A limit counts what was spent before it was set.',
  add: 'Set limits',
  search: 'Go to an end user',
  empty: 'No orders with an end_user yet. You can set limits before the first one.',
  heads: { name: 'End user', day: 'Today', month: 'This month', total: 'In total', actions: 'Actions' },
  of: (spent: string, limit: string) => `${spent} of ${limit}`,
  held: (amount: string) => `${amount} held`,
  byKey: 'limit of the key',
  change: 'Limits',
  changeOf: (name: string) => `Limits of ${name}`,
  reset: 'Use the limits of the key',
  more: 'Show more end users',
  close: 'Close',
  cancel: 'Cancel',
  edit: {
    title: (name: string) => (name === '' ? 'Limits of an end user' : `Limits of ${name}`),
    name: 'End user',
    nameHint: 'As in end_user of an order',
    text: 'A lower limit ends no order. A new limit counts what the day, the month or all time holds already.',
    windows: { day: 'a day', month: 'a month', total: 'in total' },
    choices: { key: 'As the key', none: 'No limit', own: 'Own limit' },
    amount: (window: string) => `Dollars ${window}`,
    submit: 'Save',
    failed: 'The limits were not changed',
  },
} as const);
