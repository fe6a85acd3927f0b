/** Texts of the list of requests on the operators' page. */
export const requestTexts = {
  statuses: {
    all: 'Any status',
    failed: 'All failures',
    '4xx': 'Refused (4xx)',
    '5xx': 'Service failed (5xx)',
    '2xx': 'Succeeded (2xx)',
  },
  heads: { when: 'When', request: 'Request', status: 'Status', took: 'Took', id: 'Request id' },
  left: 'Caller left',
} as const;
