/** Texts of the limits of end users. */
export const endUserTexts = {
  heads: { name: 'End user', day: 'Today', month: 'This month', total: 'In total', actions: 'Actions' },
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
} as const;
