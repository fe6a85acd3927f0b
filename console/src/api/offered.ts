import { BASE_URL } from './service-url.ts';
import { createStore, useStore } from './store.ts';

/** Name of the stored operations, as last read, so that closed views stay hidden until the document is loaded. */
const KEPT = 'darkroom.offered';
type Document = { readonly paths: Readonly<Record<string, object>> };

/** The operations that the service has: an operator can close some. Null = not known yet; then all are offered. */
const offeredStore = createStore<ReadonlySet<string> | null>(readKept());

/** Reads the service's operations from its OpenAPI document. */
export async function learnOffered(): Promise<void> {
  try {
    const { paths } = (await (await fetch(`${BASE_URL}/openapi.json`)).json()) as Document;
    const offered = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    offeredStore.set(new Set(offered));
    localStorage.setItem(KEPT, JSON.stringify(offered));
  } catch {
    // The service is unavailable, or the storage is full: the next page tries again.
  }
}

/** Returns a function that tells whether the service has an operation. */
export function useOffers(): (operation: string) => boolean {
  const offered = useStore(offeredStore);
  return (operation) => offered === null || offered.has(operation);
}

function readKept(): ReadonlySet<string> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
    return Array.isArray(kept) ? new Set(kept) : null;
  } catch {
    // Not written by this console.
    return null;
  }
}
