/** Texts of the wall of the user's own work, and of the details of an order. */
export const historyTexts = {
  favourite: 'Favourite',
  reject: 'Reject (x key)',
  isRejected: 'Rejected',
  tagged: (count: number) => (count === 1 ? 'Tags changed' : `Tags of ${count} orders changed`),
  noPrompt: 'Without a prompt',
  withSound: 'with sound',
} as const;
