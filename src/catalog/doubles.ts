import type { MediaField } from './media-fields.ts';
import type { MediaRole } from './vocabulary.ts';

/** Two fields that say the same thing, so that only one of them may be sent. */
export interface Double {
  readonly name: string;
  readonly other: string;
  readonly what: 'the size' | 'a frame';
}

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

/** The doubles among these fields: exact pixels beside a tier or a ratio, one frame twice. `size: "auto"` says no size. */
export function doublesOf(names: readonly string[], media: readonly MediaField[]): Double[] {
  const doubles: Double[] = [];
  for (const [name, others] of SAME_SIZE) {
    if (!names.includes(name)) continue;
    for (const other of others) if (names.includes(other)) doubles.push({ name, other, what: 'the size' });
  }
  for (const [role, rivals] of SAME_FRAME) {
    for (const field of media) {
      if (field.role !== role) continue;
      for (const rival of media) {
        if (rival.name === field.name || !rivals.includes(rival.role)) continue;
        if (rival.role === field.role && rival.name > field.name) continue;
        doubles.push({ name: field.name, other: rival.name, what: 'a frame' });
      }
    }
  }
  return doubles;
}
