const SEPARATOR = '@';
/** Name for all keys of one kind, in places where each key would be too many. */
const ALL_KEYS = 'customers';

/** Returns the name of an engine that works with an account's own upstream key, such as `fal@upk_…`. */
export function keyedEngine(kind: string, keyId: string): string {
  return `${kind}${SEPARATOR}${keyId}`;
}

/** Tells whether an engine works with an account's own upstream key. */
export function isKeyed(engine: string): boolean {
  return engine.includes(SEPARATOR);
}

/** Returns kind and upstream key of an engine; null if it works with the operator's key. */
export function keyedPartsOf(engine: string): { readonly kind: string; readonly keyId: string } | null {
  const cut = engine.indexOf(SEPARATOR);
  return cut === -1 ? null : { kind: engine.slice(0, cut), keyId: engine.slice(cut + 1) };
}

/** Returns the kind of a keyed engine, and any other name as it is. */
export function withoutKey(engine: string): string {
  return keyedPartsOf(engine)?.kind ?? engine;
}

/** Returns the name for metrics: all upstream keys of a kind have one, so that their number is limited. */
export function figureName(engine: string): string {
  const parts = keyedPartsOf(engine);
  return parts === null ? engine : keyedEngine(parts.kind, ALL_KEYS);
}
