import { figureKind } from '../figures/figures.ts';
import type { Seat } from '../model/figure-kind.ts';
import type { Figure } from '../model/scene.ts';
import type { Subject } from '../prompt/reading.ts';
import { carriedBy } from './carried-by.ts';
import { holdThings, holdUmbrellas } from './hold-things.ts';
import { leanAgainst } from './lean-against.ts';
import { putOn } from './put-on.ts';

/** The seat of a mount whose record has none. */
const USUAL_BACK: Seat = { top: 0.5, width: 0.2, holds: 0.8 };
/** Ratio of the maximum height of seated people to that of other figures on a seat. */
const SEATED_PEOPLE = 1.7;
const TALLEST = 0.62;

/**
 * Arranges figures according to the prompt's relations: riders and mounts, figures on or below a thing, wearers of
 * hats, holders of umbrellas.
 * @param groups the figures of each subject; changed in place.
 */
export function relateFigures(subjects: readonly Subject[], groups: Figure[][]): void {
  subjects.forEach((subject, order) => {
    const own = groups[order] ?? [];
    const before = groups[order - 1] ?? [];
    const [first] = own;
    const [other] = before;
    if (first === undefined || other === undefined) return;
    if (figureKind(subject.kind).worn === 'head' || subject.relation === 'wearing') putOn(own, before);
    else if (subject.relation === 'held') holdThings(own, before);
    else if (subject.relation === 'under' || subject.relation === 'on' || subject.relation === 'in')
      seatRiders(before, own, subject.relation === 'under');
    else if (subject.relation === 'over') putUnder(before, own);
    else if (subject.relation === 'against') leanAgainst(before, own);
    else if (subject.relation === 'back') standBefore(before, own);
    else if (subjects[order - 1]?.place === 'above' && other.where === 'air')
      groups[order - 1] = before.map((each) => ({ ...each, x: first.x + (each.x - other.x) }));
  });
  holdUmbrellas(groups);
}

function seatRiders(riders: Figure[], mounts: Figure[], ridden: boolean): void {
  const [mount] = mounts;
  if (mount === undefined || mount.where === 'air') return;
  const { seat: ownSeat, gait } = figureKind(mount.kind);
  const seat = ownSeat ?? (ridden ? USUAL_BACK : undefined);
  if (seat === undefined) return;
  const many = riders.length;
  const sits = figureKind(riders[0]?.kind).person?.sits === true && (ridden || seat.peopleSit === true);
  const holds = seat.holds * (sits && !ridden && seat.posture !== 'aboard' ? SEATED_PEOPLE : 1);
  const wanted = (riders[0]?.size ?? 0) / holds;
  const size = Math.min(TALLEST, Math.max(mount.size, wanted * 0.8));
  const action = riders[0]?.action ?? mount.action ?? (ridden && gait?.walksWhenRidden === true ? 'walk' : undefined);
  const carrier: Figure = { ...mount, size, ...(action === undefined || !(ridden || mount.action) ? {} : { action }) };
  mounts[0] = carrier;
  riders.forEach((rider, index) => {
    riders[index] = {
      ...rider,
      ...carriedBy(carrier),
      ...(sits ? { sits } : {}),
      x: mount.x,
      y: mount.y + 0.002 * (index + 1),
      where: 'ground',
      flip: many === 1 ? mount.flip : rider.flip,
      size: Math.min(rider.size, size * holds) / Math.sqrt(many > 2 ? many / 2 : 1),
      lift: size * seat.top,
      shift: ((index + 0.5) / many - 0.5) * seat.width * size,
      seed: many === 1 ? mount.seed : rider.seed,
    };
  });
}

function putUnder(below: Figure[], above: Figure[]): void {
  const [cover] = above;
  if (cover === undefined || cover.where === 'air') return;
  const hasStem = figureKind(cover.kind).hasStem === true;
  const size = Math.max(cover.size, Math.min(TALLEST, (below[0]?.size ?? 0) * (hasStem ? 1.5 : 1.35)));
  above[0] = { ...cover, size };
  below.forEach((figure, index) => {
    if (figure.where === 'air') return;
    const shift = (index - (below.length - 1) / 2) * size * 0.3 + (hasStem ? size * 0.36 : 0);
    below[index] = { ...figure, x: cover.x, y: cover.y + 0.03, shift, size: Math.min(figure.size, size * 0.6) };
  });
}

function standBefore(front: Figure[], back: Figure[]): void {
  const [behind] = back;
  if (behind === undefined || behind.where === 'air') return;
  const y = Math.min(behind.y, 0.36);
  back[0] = { ...behind, y, size: behind.size * 1.35 };
  front.forEach((figure, index) => {
    if (figure.where === 'air') return;
    const shift = (index + 0.5 - front.length / 2) * figure.size + behind.size * 0.5;
    front[index] = { ...figure, x: behind.x, shift, y: Math.min(0.92, Math.max(figure.y, y + 0.26)) };
  });
}
