/** Texts of webhook deliveries, for all lists of them. */
export const webhookTexts = {
  heads: { when: 'When', type: 'Event', to: 'To', status: 'Status', attempts: 'Attempts', actions: 'Actions' },
  statuses: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  next: (when: string) => `next ${when}`,
  again: 'Send again',
  failed: 'Could not send it again',
} as const;
