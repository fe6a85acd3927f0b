import { fetchAsPerson } from './person.ts';
import { BASE_URL } from './service-url.ts';

/** Downloads what a path answers as a file. @throws Error */
export async function saveAnswer(path: string, key: string | null, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${key ?? ''}` };
  const response = await fetchAsPerson(`${BASE_URL}${path}`, { headers });
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
    throw new Error(body?.error?.message ?? `HTTP ${response.status}`);
  }
  saveFile(name, await response.blob());
}

/** Downloads a blob as a file. */
export function saveFile(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Later, because the browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
