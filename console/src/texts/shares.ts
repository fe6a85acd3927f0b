/** Texts of share links. */
export const shareTexts = {
  shareList: 'Share these results',
  titles: { image: 'Share this image', video: 'Share this video' },
  most: (count: string) => `A link shows at most ${count} results. Those are the newest ones.`,
  spans: [
    { value: '3600', label: 'One hour' },
    { value: '86400', label: 'One day' },
    { value: '604800', label: '7 days' },
    { value: '2592000', label: '30 days' },
  ],
  make: 'Make a link',
  list: 'Links to this result',
  lists: 'Links to several results',
  results: (count: string) => `${count} results`,
} as const;
