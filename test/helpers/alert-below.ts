/** Options of a service that raises an alert if its disk has fewer bytes free; 0: never. */
export function alertBelow(freeBytes: number, env: Readonly<Record<string, string>> = {}) {
  return { env, settings: { alerts: { freeBytes } } };
}
