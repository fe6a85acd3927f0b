import type { TaskView as Task } from '@darkroom-service/contract/task';
import { MARKING } from '../api/marks.ts';
import { mark } from '../api/tagging.ts';
import { historyTexts } from '../texts/history.ts';

const texts = historyTexts.wall;

/**
 * Marks a task by a key: `s` stars and `x` rejects it.
 * @returns whether it did
 */
export function markByKey(key: string, task: Pick<Task, 'task_id' | 'tags'>): boolean {
  if (key === 's') mark([task], MARKING.star, texts.starred(1));
  else if (key === 'x') mark([task], MARKING.reject, texts.rejected(1));
  else return false;
  return true;
}
