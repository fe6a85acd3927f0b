/** The account that the first start creates. */
export const DEFAULT_ACCOUNT = 'default';
