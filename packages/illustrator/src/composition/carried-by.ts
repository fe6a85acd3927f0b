import type { Figure } from '../model/scene.ts';

/** Returns the fields that make a figure move along with another one, in the way that one moves. */
export function carriedBy(carrier: Figure): Pick<Figure, 'carrier' | 'action'> {
  const { kind, size, seed } = carrier.carrier ?? carrier;
  return { carrier: { kind, size, seed }, ...(carrier.action === undefined ? {} : { action: carrier.action }) };
}
