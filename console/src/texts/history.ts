/** Texts of the wall of one's own work, and of an order in full. */
export const historyTexts = {
  favourite: 'Favourite',
  reject: 'Reject (x key)',
  isRejected: 'Rejected',
  tagged: (count: number) => (count === 1 ? 'Tags changed' : `Tags of ${count} orders changed`),
  noPrompt: 'Without a prompt',
  withSound: 'with sound',
} as const;
