/** Texts of exports and erasures. */
export const privacyTexts = {
  exports: {
    title: 'Export',
    download: (part: number) => (part === 1 ? 'Download the archive' : `Download archive ${part}`),
  },
  erasures: {
    title: 'Erasures',
    hint: 'They stay listed, since a restored backup needs them again.',
    empty: 'Nothing has been erased.',
    begin: 'Erase data',
    ask: 'Erase what is stored',
    textOfAccount:
      'Erases the orders, files and words of the whole account, and revokes its keys. Open orders are canceled. The ledger stays. It cannot be undone.',
    textOfEndUser:
      'Erases the orders, files and words of this end user of all keys of the account. Open orders are canceled. The ledger stays. It cannot be undone.',
    uploads: 'Also uploads that name no end user, if only these orders used them',
    confirm: (account: string) => `Type ${account} to confirm`,
    submit: 'Erase permanently',
    failed: 'Nothing was erased',
    unknown: 'It is not known whether the erasure was begun',
    heads: { when: 'Requested', whose: 'Whose', state: 'State', orders: 'Orders', files: 'Files', id: 'Erasure' },
    whole: 'The whole account',
    erasedUser: 'One end user, erased',
    states: { processing: 'In progress', completed: 'Completed' },
    waiting: (orders: string) => `waits for ${orders} orders at an upstream`,
    undecided: (files: string) => `${files} uploads without an end user are left`,
  },
};
