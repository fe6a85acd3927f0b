/** The cells that a simulation cannot meet, each with the reason. To meet one is a fault. */
export const IMPOSSIBLE: Readonly<Record<string, string>> = {};
