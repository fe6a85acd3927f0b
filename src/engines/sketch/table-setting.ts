import { HABITATS } from './habitats.ts';
import type { Place } from './places.ts';
import { deriveSeed } from './random.ts';
import type { Subject } from './read-prompt.ts';
import type { Figure } from './scene.ts';

const TABLE = { size: 0.44, top: 0.78, width: 1.34, y: 0.7 } as const;
const EMBLEM = { y: 0.4, size: 0.36 } as const;

/** Indoors, small things stand in a row on a table; where no table was named, one is brought. On an emblem they stand in its middle. */
export function layTable(subjects: readonly Subject[], groups: Figure[][], place: Place): void {
  if (place.world === 'studio') {
    standInMiddle(groups);
    return;
  }
  const small = groups.filter((_, order) => HABITATS[subjects[order]?.kind ?? '']?.tabletop === true);
  const things = small.flat();
  const table = groups.find((group) => group[0]?.kind === 'table');
  if (things.length === 0 || (table === undefined && things.length < groups.flat().length)) return;
  const found = table?.[0];
  const first = things[0] as Figure;
  const top: Figure = {
    ...(found ?? { kind: 'table', where: 'ground', flip: false, colour: null, seed: deriveSeed(first.seed, 'table') }),
    x: (found?.x ?? first.x) * 0.4,
    y: TABLE.y,
    size: TABLE.size,
  };
  if (table === undefined) groups.push([top]);
  else table[0] = top;
  const step = (TABLE.size * TABLE.width) / things.length;
  let at = -things.length / 2;
  for (const group of small) {
    group.forEach((thing, index) => {
      at += 1;
      group[index] = {
        ...thing,
        x: top.x,
        y: top.y + 0.002 * (at + things.length),
        where: 'ground',
        size: Math.min(HABITATS[thing.kind]?.size ?? 0.2, things.length === 1 ? 0.36 : step * 0.95) * 0.95,
        lift: TABLE.size * TABLE.top,
        shift: (at - 0.5) * step,
      };
    });
  }
}

function standInMiddle(groups: Figure[][]): void {
  const figures = groups.flat();
  let at = -figures.length / 2;
  for (const group of groups) {
    group.forEach((figure, index) => {
      at += 1;
      const size = EMBLEM.size / Math.max(1, figures.length * 0.62);
      group[index] = {
        ...figure,
        x: 0,
        y: EMBLEM.y,
        where: 'ground',
        size,
        flip: false,
        shift: (at - 0.5) * size * 1.15,
      };
    });
  }
}
