import { figureKind } from '../figures/figures.ts';
import type { Figure } from '../model/scene.ts';
import { carriedBy } from './carried-by.ts';

/** Maximum size of a held thing, in units of the shorter side; larger things stay where they are. */
const LARGEST_HELD = 0.44;
/** Size and position of things in people's hands and in front of animals, in fractions of the holder's height. */
const IN_HAND = { size: 0.3, ahead: 0.24, up: 0.36 } as const;
const IN_FRONT = { size: 0.42, ahead: 0.62, up: 0 } as const;

/** Puts small things into people's hands, or in front of animals. Changes `things` in place. */
export function holdThings(things: Figure[], holders: Figure[]): void {
  const [holder] = holders;
  if (holder === undefined || holder.where === 'air') return;
  const isPerson = figureKind(holder.kind).person?.sits === true;
  const heading = holder.flip ? -1 : 1;
  things.forEach((thing, index) => {
    const { habitat, held } = figureKind(thing.kind);
    if (habitat.size > LARGEST_HELD) return;
    const { size, ahead, up } = isPerson ? (held?.grip ?? IN_HAND) : IN_FRONT;
    things[index] = {
      ...thing,
      ...carriedBy(holder),
      x: holder.x,
      y: Math.min(0.93, holder.y + 0.002 * (index + 1)),
      where: 'ground',
      shift: (holder.shift ?? 0) + heading * (ahead + index * 0.3) * holder.size,
      ...(up > 0 || holder.lift !== undefined ? { lift: (holder.lift ?? 0) + up * holder.size } : {}),
      size: holder.size * size,
    };
  });
}

/** Gives the umbrella in a picture to a person in it. Changes the groups in place. */
export function holdUmbrellas(groups: Figure[][]): void {
  const holder = groups.flat().find(({ kind, where }) => figureKind(kind).person?.sits === true && where === 'ground');
  const umbrellas = groups.find(([first]) => first !== undefined && figureKind(first.kind).held?.overhead === true);
  if (holder === undefined || umbrellas?.[0] === undefined) return;
  const reach = holder.size * 0.14;
  umbrellas[0] = {
    ...umbrellas[0],
    ...carriedBy(holder),
    x: holder.x,
    y: holder.y + 0.002,
    where: 'ground',
    shift: (holder.shift ?? 0) + (holder.flip ? -reach : reach),
    lift: holder.size * 0.5,
    size: holder.size * 0.85,
  };
}
