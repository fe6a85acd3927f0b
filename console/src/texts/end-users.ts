/** Texts of the limits of end users. */
export const endUserTexts = {
  heads: { name: 'End user', day: 'Today', month: 'This month', total: 'In total' },
  edit: {
    title: (name: string) => (name === '' ? 'Limits of an end user' : `Limits of ${name}`),
    windows: { day: 'a day', month: 'a month', total: 'in total' },
    choices: { key: 'As the key', none: 'No limit', own: 'Own limit' },
    submit: 'Save',
    failed: 'The limits were not changed',
  },
} as const;
