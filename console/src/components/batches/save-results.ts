import { fetchAsPerson } from '../../api/person.ts';
import { BASE_URL } from '../../api/service-url.ts';
import { orderingKey, sessionStore } from '../../api/session.ts';

/** Downloads the results of a batch as a file. @throws Error */
export async function saveResults(batchId: string, format: 'jsonl' | 'zip'): Promise<void> {
  const address = `${BASE_URL}/v1/batches/${encodeURIComponent(batchId)}/results${format === 'zip' ? '?format=zip' : ''}`;
  const headers = { authorization: `Bearer ${orderingKey(sessionStore.get()) ?? ''}` };
  const response = await fetchAsPerson(address, { headers });
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
    throw new Error(body?.error?.message ?? `HTTP ${response.status}`);
  }
  const file = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = file;
  link.download = `${batchId}.${format}`;
  link.click();
  URL.revokeObjectURL(file);
}
