import { saveAnswer } from '../../api/save-answer.ts';
import { orderingKey, sessionStore } from '../../api/session.ts';

/** Downloads the results of a batch as a file. @throws Error */
export async function saveResults(batchId: string, format: 'jsonl' | 'zip'): Promise<void> {
  const path = `/v1/batches/${encodeURIComponent(batchId)}/results${format === 'zip' ? '?format=zip' : ''}`;
  await saveAnswer(path, orderingKey(sessionStore.get()), `${batchId}.${format}`);
}
