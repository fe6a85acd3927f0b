/** Texts of exports and erasures. */
export const privacyTexts = {
  exports: {
    title: 'Export',
    download: (part: number) => (part === 1 ? 'Download the archive' : `Download archive ${part}`),
  },
  erasures: {
    ask: 'Erase what is stored',
    submit: 'Erase permanently',
    failed: 'Nothing was erased',
    unknown: 'It is not known whether the erasure was begun',
    states: { processing: 'In progress', completed: 'Completed' },
  },
};
