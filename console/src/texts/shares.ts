import { translated } from './page-language.ts';

/** Texts of share links. */
export const shareTexts = translated('shares', {
  share: 'Share',
  titles: { image: 'Share this image', video: 'Share this video' },
  close: 'Close',
  lead: 'Everyone who has the link can see and download the result, without a key. The file is shared as it is, also with data that its engine wrote into it.',
  lasts: 'Works for',
  spans: [
    { value: '3600', label: 'One hour' },
    { value: '86400', label: 'One day' },
    { value: '604800', label: '7 days' },
    { value: '2592000', label: '30 days' },
  ],
  untilFiles: (time: string) => `No longer than the files are kept: until ${time}.`,
  showPrompt: 'Show the prompt, too',
  make: 'Make a link',
  made: 'The link is ready. Copy it below.',
  failed: 'Could not make a link',
  list: 'Links to this result',
  none: 'There are no links to this result.',
  link: (until: string) => `Link, until ${until}`,
  until: (time: string) => `Until ${time}`,
  withPrompt: 'with the prompt',
  withoutPrompt: 'without the prompt',
  copy: 'Copy the link',
  revoke: 'Revoke',
  revokeLabel: (until: string) => `Revoke the link that works until ${until}`,
  revoked: 'The link no longer works.',
  revokeFailed: 'Could not revoke the link',
  listFailed: 'Could not read the links',
} as const);
