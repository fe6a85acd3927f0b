import type { Check } from '@darkroom-service/darkroom/kernel';
import { createShareStore } from './share-store.ts';

/** Reports whether the database answers in which cells share upstream accounts. */
export async function diagnoseParts(url: string): Promise<Check> {
  const name = 'shared upstream accounts';
  const store = await createShareStore(url);
  try {
    await store.read([]);
    return { name, status: 'ok', found: 'the database of DARKROOM_PARTS_URL answers', advice: null };
  } catch (error) {
    const found = `the database of DARKROOM_PARTS_URL does not answer: ${(error as Error).message}`;
    const advice = 'Check DARKROOM_PARTS_URL. Without it, no orders are submitted to upstreams that have a key.';
    return { name, status: 'failed', found, advice };
  } finally {
    await store.close();
  }
}
