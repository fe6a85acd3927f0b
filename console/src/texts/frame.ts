/** Texts of the frame: navigation, signing in, and texts common to all pages. */
export const frameTexts = {
  product: 'Darkroom',
  addKey: 'Add a key',
  signIn: 'Sign in',
  signOut: 'Sign out',
  notFound: 'Page not found',
  unreachable: 'The service does not answer.',
  answerLost: 'The answer was lost',
  unreadable: (status: number) => `The service answered ${status} without an error message. Try again in a moment.`,
  more: 'Show older ones',
  failed: 'This could not be loaded',
  tryAgain: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  copied: 'Copied',
  loading: 'Loading',
} as const;
