import type { ModeFilter } from '@darkroom-service/contract';
/** Returns the task modes that a filter includes. */
export function modesOf(filter: ModeFilter): readonly ('live' | 'test')[] {
  return filter === 'all' ? ['live', 'test'] : [filter];
}
