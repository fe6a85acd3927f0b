import { reasonOf } from '@darkroom-service/contract';
import type { Check } from '@darkroom-service/darkroom/kernel';
import { assertNatsAnswers } from './nats-notices.ts';

/** Says whether NATS can carry the notices between processes. */
export async function diagnoseNotices(url: string): Promise<Check> {
  const name = 'notices';
  try {
    await assertNatsAnswers(url);
    return { name, status: 'ok', found: 'NATS answers', advice: null };
  } catch (error) {
    const found = `NATS cannot be used: ${reasonOf(error)}`;
    const advice = 'Until then, changes by other processes are found within a second. See DARKROOM_NOTICES_URL.';
    return { name, status: 'warning', found, advice };
  }
}
