import type { FieldConflict, MediaField } from './model.ts';
import type { MediaRole } from './vocabulary.ts';

const SAME_SIZE: readonly (readonly [string, readonly string[]])[] = [
  ['size', ['resolution', 'aspect_ratio', 'width', 'height']],
  ['width', ['resolution', 'aspect_ratio']],
  ['height', ['resolution', 'aspect_ratio']],
];

const SAME_FRAME: readonly (readonly [MediaRole, readonly MediaRole[]])[] = [
  ['first_frame', ['first_frame']],
  ['last_frame', ['last_frame']],
  ['first_and_last_frame', ['first_frame', 'last_frame']],
  ['mask', ['mask']],
];

/**
 * Returns the conflicts among these fields: exact pixels together with a tier or a ratio, or one frame given twice.
 * `size: "auto"` determines no size.
 */
export function conflictsOf(names: readonly string[], media: readonly MediaField[]): FieldConflict[] {
  const conflicts: FieldConflict[] = [];
  for (const [name, others] of SAME_SIZE) {
    if (!names.includes(name)) continue;
    for (const other of others) if (names.includes(other)) conflicts.push({ name, other, what: 'the size' });
  }
  for (const [role, rivals] of SAME_FRAME) {
    for (const field of media) {
      if (field.role !== role) continue;
      for (const rival of media) {
        if (rival.name === field.name || !rivals.includes(rival.role)) continue;
        if (rival.role === field.role && rival.name > field.name) continue;
        conflicts.push({ name: field.name, other: rival.name, what: 'a frame' });
      }
    }
  }
  return conflicts;
}
