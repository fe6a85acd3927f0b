import type { PaintMedia } from './paint-job.ts';

/** The media of an order, by purpose. */
export interface AssignedMedia {
  /** The pictures that a film begins and ends on. */
  readonly first: PaintMedia | null;
  readonly last: PaintMedia | null;
  /** Mask; its white part is painted again. */
  readonly mask: PaintMedia | null;
  /** A picture whose colours and grain are used, and that is not itself visible. */
  readonly style: PaintMedia | null;
  /** Sound that replaces the scene's own. */
  readonly sound: PaintMedia | null;
  /** Media shown in the scene, or behind it; films first. */
  readonly shown: readonly PaintMedia[];
}

/** Assigns the media of an order to their roles: by the catalog's role, or by the field where there is none. */
export function assignMedia(media: readonly PaintMedia[], isFilm: boolean): AssignedMedia {
  const having = (role: string) => media.filter((medium) => roleOf(medium) === role);
  const ends = having('first_and_last_frame');
  const plain = media.filter((medium) => medium.field === 'image_urls' && roleOf(medium) === null);
  const lone = plain.length === 1 ? plain[0] : undefined;
  const first = isFilm ? (having('first_frame')[0] ?? ends[0] ?? lone ?? null) : null;
  const last = isFilm ? (having('last_frame')[0] ?? (ends.length > 1 ? ends.at(-1) : null) ?? null) : null;
  const [mask = null] = having('mask');
  const [style = null] = having('style');
  const sound = media.find((medium) => medium.kind === 'audio') ?? null;
  const shown = media.filter(
    (medium) =>
      medium.kind !== 'audio' &&
      !['mask', 'style'].includes(roleOf(medium) ?? '') &&
      medium !== first &&
      medium !== last,
  );
  const films = shown.filter((medium) => medium.kind === 'video');
  return { first, last, mask, style, sound, shown: [...films, ...shown.filter((medium) => !films.includes(medium))] };
}

const ROLE_OF_FIELD: Readonly<Record<string, string>> = {
  mask_url: 'mask',
  first_frame_url: 'first_frame',
  last_frame_url: 'last_frame',
};

function roleOf({ role, field }: PaintMedia): string | null {
  return role ?? ROLE_OF_FIELD[field] ?? null;
}
