/** Texts of the list of requests on the operators' page. */
export const requestTexts = {
  hint: 'What keys sent lately and how it was answered, without contents. By default successful reads are not listed.',
  key: 'Key',
  anyKey: 'Every key',
  status: 'Status',
  statuses: {
    all: 'Any status',
    failed: 'All failures',
    '4xx': 'Refused (4xx)',
    '5xx': 'Service failed (5xx)',
    '2xx': 'Succeeded (2xx)',
  },
  refresh: 'Refresh',
  empty: 'No such request',
  emptyText: 'A request appears here about a second after its answer, and stays for 7 days.',
  heads: { when: 'When', request: 'Request', status: 'Status', took: 'Took', key: 'Key', id: 'Request id' },
  left: 'Caller left',
} as const;
