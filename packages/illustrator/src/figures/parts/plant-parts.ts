export const SWAYING = { kind: 'swing', x: 50, y: 98, amount: 1.4, period: 4.2 } as const;
