/** The tag that is shown as a star. */
export const FAVOURITE = 'favourite';
