import { HABITATS } from './habitats.ts';
import type { Place } from './places.ts';
import { deriveSeed } from './random.ts';
import type { Subject } from './read-prompt.ts';
import type { Figure } from './scene.ts';

const TABLE = { size: 0.44, top: 0.78, width: 1.34, y: 0.7, most: 0.36, scale: 1 } as const;
/** One or two things alone are looked at from near by: the table's legs are cut by the lower edge. */
const NEAR_TABLE = { ...TABLE, size: 0.68, y: 1.24, most: 0.5, scale: 1.5 } as const;
const EMBLEM = { middle: 0.52, size: 0.36 } as const;
const SHEET = { middle: 0.55, size: 0.54 } as const;
const LETTERED_SHEET = { middle: 0.64, size: 0.42 } as const;
/** What is printed rather than stood on a sheet, and how much larger. */
const PRINTED: Readonly<Record<string, number>> = { mandala: 1.6, heart: 1, star: 1, party_balloons: 1.3 };

/** Indoors, small things stand in a row on a table; where no table was named, one is brought. */
export function layTable(subjects: readonly Subject[], groups: Figure[][]): void {
  const small = groups.filter((_, order) => HABITATS[subjects[order]?.kind ?? '']?.tabletop === true);
  const things = small.flat();
  const table = groups.find((group) => group[0]?.kind === 'table');
  if (things.length === 0 || (table === undefined && things.length < groups.flat().length)) return;
  const {
    size,
    top: height,
    width,
    y,
    most,
    scale,
  } = things.length <= 2 && things.length >= groups.flat().length - (table?.length ?? 0) ? NEAR_TABLE : TABLE;
  const found = table?.[0];
  const first = things[0] as Figure;
  const top: Figure = {
    ...(found ?? { kind: 'table', where: 'ground', flip: false, colour: null, seed: deriveSeed(first.seed, 'table') }),
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
        size: Math.min((HABITATS[thing.kind]?.size ?? 0.2) * scale, things.length === 1 ? most : step * 0.95) * 0.95,
        lift: size * height,
        shift: (at - 0.5) * step,
      };
    });
  }
}

/** On a badge things stand in its middle, on a photographer's sheet larger and lower. */
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
      if (onSheet && figure.kind === 'portrait') return;
      const printed = onSheet ? PRINTED[figure.kind] : undefined;
      const share = printed ?? Math.max(0.72, Math.min(1, (HABITATS[figure.kind]?.size ?? 0.3) * 4));
      const size = (most / wide) * share;
      const y = (middle + size / 2 - horizon) / (1 - horizon);
      const flat = printed === undefined ? {} : { lift: 0 };
      group[index] = { ...figure, x: 0, y, where: 'ground', size, flip: false, shift, ...flat };
    });
  }
}
