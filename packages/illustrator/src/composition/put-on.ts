import { figureKind } from '../figures/figures.ts';
import type { BodyPoint } from '../model/figure-kind.ts';
import type { Figure } from '../model/scene.ts';
import { carriedBy } from './carried-by.ts';

/** Position of crown and eyes in most drawings of people. */
const USUAL_CROWN = { ahead: 0, up: 0.92 } as const;
const USUAL_EYES = { ahead: 0.04, up: 0.85, width: 0.2 } as const;

/** Puts pieces on the figures that wear them. Changes `pieces` in place. */
export function putOn(pieces: Figure[], wearers: Figure[]): void {
  pieces.forEach((piece, index) => {
    const wearer = wearers[index % wearers.length];
    if (wearer === undefined) return;
    const { ahead, up, size } = fitOf(piece, wearer, index - (pieces.length - 1) / 2);
    pieces[index] = {
      ...piece,
      ...carriedBy(wearer),
      x: wearer.x,
      y: wearer.y + 0.002,
      where: wearer.where,
      flip: wearer.flip,
      shift: (wearer.shift ?? 0) + ahead * (wearer.flip ? -1 : 1) * wearer.size,
      lift: (wearer.lift ?? 0) + up * wearer.size,
      size: wearer.size * size,
    };
  });
}

/**
 * Returns position and size of a worn piece, in fractions of the wearer's height.
 * @param beside distance from the middle of all pieces, in pieces, for those in the hair.
 */
function fitOf(piece: Figure, wearer: Figure, beside: number): BodyPoint & { readonly size: number } {
  const { crown = USUAL_CROWN, eyes = USUAL_EYES } = figureKind(wearer.kind);
  switch (figureKind(piece.kind).worn) {
    case 'hair':
      return { ahead: crown.ahead + beside * 0.18, up: crown.up - 0.08 - Math.abs(beside) * 0.054, size: 0.24 };
    case 'whole-head':
      return { ahead: eyes.ahead * 0.8, up: eyes.up - eyes.width * 0.8, size: eyes.width * 1.75 };
    case 'head-top':
      return { ahead: crown.ahead, up: crown.up - 0.06, size: eyes.width * 0.62 };
    case 'eyes':
      return { ahead: eyes.ahead, up: eyes.up - eyes.width * 0.42, size: eyes.width * 0.9 };
    case 'chest':
      return { ahead: eyes.ahead * 0.5, up: 0.02, size: (eyes.up - eyes.width * 0.45) * 0.96 };
    default:
      return { ahead: crown.ahead, up: crown.up - 0.08, size: 0.34 };
  }
}
