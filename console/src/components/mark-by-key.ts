import type { TaskView as Task } from '@darkroom-service/contract/task';
import { MARKING, MOST_STARS } from '../api/marks.ts';
import { mark } from '../api/tagging.ts';
import { historyTexts } from '../texts/history.ts';

const texts = historyTexts.wall;

/**
 * Marks a task by a key: `1` to `5` rate it, `0` takes that back, `s` stars and `x` rejects it.
 * @returns whether it did
 */
export function markByKey(key: string, task: Pick<Task, 'task_id' | 'tags'>): boolean {
  const stars = Number(key);
  if (/^\d$/.test(key) && stars <= MOST_STARS)
    mark(
      [task],
      stars === 0 ? () => ({ rating: 0 }) : MARKING.rate(stars),
      stars === 0 ? texts.unrated : texts.rated(stars),
    );
  else if (key === 's') mark([task], MARKING.star, texts.starred(1));
  else if (key === 'x') mark([task], MARKING.reject, texts.rejected(1));
  else return false;
  return true;
}
