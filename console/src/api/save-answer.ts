import { inReadersForm } from '../format.ts';
import { addressOf, kindFor } from './client.ts';
import type { Reading, RequestOf } from './operations.ts';
import { fetchAsPerson } from './person.ts';
import { BASE_URL } from './service-url.ts';
import { sessionStore } from './session.ts';

/** Downloads the answer of an operation as a file. @returns the headers of the answer @throws Error */
export async function saveAnswer<O extends Reading>(
  operation: O,
  request: RequestOf<O>,
  name: string,
): Promise<Headers> {
  const address = addressOf(operation, request);
  const { query = {} } = request as { readonly query?: Record<string, string> };
  const key = sessionStore.get().keys[kindFor(address)] ?? '';
  const response = await fetchAsPerson(`${BASE_URL}${address}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
    throw new Error(inReadersForm(body?.error?.message ?? `HTTP ${response.status}`));
  }
  saveFile(name, await response.blob());
  return response.headers;
}

/** Downloads a blob as a file. */
export function saveFile(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Later, because the browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
