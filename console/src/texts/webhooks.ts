/** Texts of webhook deliveries, for all lists of them. */
export const webhookTexts = {
  statuses: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  again: 'Send again',
} as const;
