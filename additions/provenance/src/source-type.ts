import type { Session, TaskMedia, TaskRecord } from '@darkroom-service/darkroom/kernel';
import { engineOf, mediaOf, taskOfFileKey } from '@darkroom-service/darkroom/kernel-views';
import type { Mark } from '@darkroom-service/media';

export const BUILT_IN = 'sketch';
/** Maximum number of earlier tasks that are read to find the origin of a picture. */
const MOST_TASKS = 64;

/**
 * Returns the source type of a file. The built-in engine makes pictures by an algorithm alone; if it makes them from
 * pictures of others, those decide.
 */
export async function sourceTypeOf(read: Session, task: TaskRecord): Promise<Mark['source']> {
  if (task.route.engine !== BUILT_IN) {
    const isEdit = task.media.length > 0 || task.parent_task_id !== null;
    return isEdit ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
  }
  const seen = new Set([task.id]);
  let source: Mark['source'] = 'algorithmicMedia';
  let next = madeFrom(task);
  while (next.length > 0) {
    if (next.includes(null)) source = 'compositeSynthetic';
    const ids = [...new Set(next)].flatMap((id) => (id === null || seen.has(id) ? [] : [id]));
    if (ids.length === 0) break;
    for (const id of ids) seen.add(id);
    const columns = ['id', 'route_json', 'media_json', 'parent_task_id'] as const;
    const rows =
      seen.size > MOST_TASKS
        ? []
        : await read.all(read.builder.selectFrom('tasks').select(columns).where('id', 'in', ids));
    // A task that is gone may have been anything.
    if (rows.length < ids.length) source = 'compositeSynthetic';
    if (rows.some((row) => engineOf(row) !== BUILT_IN)) return 'compositeWithTrainedAlgorithmicMedia';
    next = rows.flatMap((row) => madeFrom({ ...row, media: mediaOf(row) }));
  }
  return source;
}

type Made = Pick<TaskRecord, 'id' | 'parent_task_id'> & { readonly media: readonly TaskMedia[] };

/**
 * Returns the tasks of the media and of the parent; null for a medium from elsewhere, which is a file of the task
 * itself.
 */
function madeFrom({ id, media, parent_task_id: parent }: Made): (string | null)[] {
  const from = media.map(({ stored }) => (stored === null ? null : taskOfFileKey(stored.key)));
  const ids = from.map((one) => (one === id ? null : one));
  return parent === null ? ids : [...ids, parent];
}
