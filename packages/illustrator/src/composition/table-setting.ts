import { figureKind, TABLE } from '../figures/figures.ts';
import { deriveSeed } from '../model/random.ts';
import type { Figure } from '../model/scene.ts';
import type { Subject } from '../prompt/reading.ts';
import type { Place } from './place.ts';

const LAID = { size: 0.44, top: 0.78, width: 1.34, y: 0.7, largest: 0.36, scale: 1 } as const;
/** Table for a close-up of one or two things alone: the lower edge cuts the table's legs. */
const CLOSE_UP = { ...LAID, size: 0.68, y: 1.24, largest: 0.5, scale: 1.5 } as const;
const EMBLEM = { middle: 0.52, size: 0.36 } as const;
const SHEET = { middle: 0.55, size: 0.54 } as const;
const LETTERED_SHEET = { middle: 0.64, size: 0.42 } as const;

/**
 * Stands small things in a row on a table indoors; adds a table if the prompt names none. Changes the groups in place.
 */
export function layTable(subjects: readonly Subject[], groups: Figure[][]): void {
  const small = groups.filter((_, order) => figureKind(subjects[order]?.kind).habitat.tabletop === true);
  const things = small.flat();
  const table = groups.find((group) => group[0]?.kind === TABLE);
  const figures = groups.flat().length;
  if (things.length === 0 || (table === undefined && things.length < figures)) return;
  const isCloseUp = things.length <= 2 && things.length >= figures - (table?.length ?? 0);
  const { size, top: height, width, y, largest, scale } = isCloseUp ? CLOSE_UP : LAID;
  const found = table?.[0];
  const first = things[0] as Figure;
  const top: Figure = {
    ...(found ?? { kind: TABLE, where: 'ground', flip: false, colour: null, seed: deriveSeed(first.seed, 'table') }),
    x: (found?.x ?? first.x) * 0.4,
    y,
    size,
  };
  if (table === undefined) groups.push([top]);
  else table[0] = top;
  const step = (size * width) / things.length;
  let at = -things.length / 2;
  for (const group of small) {
    group.forEach((thing, index) => {
      at += 1;
      group[index] = {
        ...thing,
        x: top.x,
        y: top.y + 0.002 * (at + things.length),
        where: 'ground',
        size: Math.min(figureKind(thing.kind).habitat.size * scale, things.length === 1 ? largest : step * 0.95) * 0.95,
        lift: size * height,
        shift: (at - 0.5) * step,
      };
    });
  }
}

/**
 * Stands the subjects in the middle of an emblem, or larger and lower on a plain background. Changes the groups in
 * place.
 */
export function standInMiddle(
  subjects: readonly Subject[],
  groups: Figure[][],
  { ground, horizon }: Pick<Place, 'ground' | 'horizon'>,
  lettered: boolean,
): void {
  const onSheet = ground === 'paper';
  const { middle, size: most } = onSheet ? (lettered ? LETTERED_SHEET : SHEET) : EMBLEM;
  const standing = groups.filter((_, order) => subjects[order]?.relation !== 'wearing');
  const figures = standing.flat();
  const wide = Math.max(1, figures.length * 0.62);
  let at = -figures.length / 2;
  for (const group of standing) {
    group.forEach((figure, index) => {
      at += 1;
      const shift = (at - 0.5) * (most / wide) * 1.15;
      const { isPortrait, printedSize, habitat } = figureKind(figure.kind);
      if (onSheet && isPortrait === true) return;
      const printed = onSheet ? printedSize : undefined;
      const share = printed ?? Math.max(0.72, Math.min(1, habitat.size * 4));
      const size = (most / wide) * share;
      const y = (middle + size / 2 - horizon) / (1 - horizon);
      const flat = printed === undefined ? {} : { lift: 0 };
      group[index] = { ...figure, x: 0, y, where: 'ground', size, flip: false, shift, ...flat };
    });
  }
}
