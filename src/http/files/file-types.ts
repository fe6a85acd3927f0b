/** The content types of files that the service hands out, for the documentation. */
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const;
const FILMS = ['video/mp4', 'video/webm', 'video/quicktime', 'video/x-matroska'] as const;
const SOUNDS = [
  ...(['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/flac'] as const),
  ...(['audio/mp4', 'audio/webm', 'audio/x-matroska'] as const),
] as const;
/** Thumbnails and previews. */
const SMALL = 'image/webp';

export const FILE_TYPES = {
  image: PICTURES,
  video: [...FILMS, SMALL],
  output: [...PICTURES, ...FILMS],
  /** Also what customers upload, and files that no row names yet. */
  any: [...PICTURES, ...FILMS, ...SOUNDS, 'application/octet-stream'],
} as const;
