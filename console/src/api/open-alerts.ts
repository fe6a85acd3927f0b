/** The request that all parts of the console use to show open alerts. */
export const OPEN_ALERTS = { query: { state: 'open', limit: 100 } } as const;
