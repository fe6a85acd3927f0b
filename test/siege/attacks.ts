import type { Attack } from './attack.ts';
import { BATCH_ATTACKS } from './attacks/batches.ts';
import { BODY_ATTACKS } from './attacks/bodies.ts';
import { MEDIA_ATTACKS } from './attacks/media.ts';
import { PIECE_ATTACKS } from './attacks/pieces.ts';
import { REQUEST_ATTACKS } from './attacks/requests.ts';
import { SEPARATOR_ATTACKS } from './attacks/separators.ts';
import { SOCKET_ATTACKS } from './attacks/sockets.ts';
import { TEXT_ATTACKS } from './attacks/texts.ts';
import { UPSTREAM_ATTACKS } from './attacks/upstream-answers.ts';

/** Every attack of the siege, in the order in which they are made. */
export const ATTACKS: readonly Attack[] = [
  ...REQUEST_ATTACKS,
  ...SOCKET_ATTACKS,
  ...BODY_ATTACKS,
  ...BATCH_ATTACKS,
  ...SEPARATOR_ATTACKS,
  ...PIECE_ATTACKS,
  ...TEXT_ATTACKS,
  ...MEDIA_ATTACKS,
  ...UPSTREAM_ATTACKS,
];

/** Finds an attack by its name. @throws Error when there is none of that name. */
export function attackNamed(name: string): Attack {
  const attack = ATTACKS.find((each) => each.name === name);
  if (attack === undefined) throw new Error(`There is no attack named '${name}'.`);
  return attack;
}
