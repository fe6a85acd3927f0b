/** Texts of the audit log. */
export const auditTexts = {
  hint: 'Who changed what.',
  empty: 'Nothing has been changed yet.',
  nothingFound:
    'No change matches. Search by the id or name of who made it, by an action such as key.create or key, or by the id.',
  search: {
    actor: 'By: an id or a name',
    act: 'Action, such as key.create',
    target: 'Target: an id',
    look: 'Search',
  },
  export: 'Export as JSON lines',
  notExported: 'Could not export',
  from: (address: string) => `from ${address}`,
  heads: { when: 'When', act: 'Action', target: 'Target', detail: 'Detail', actor: 'By' },
} as const;
