import { lazyPart } from './lazy-part.ts';

/** `ShareLinks`, loaded when it is first shown. */
export const ShareLinks = lazyPart(async () => (await import('./share-links.tsx')).ShareLinks);

/** The tasks that one link shows at most. */
export const MOST_SHARED = 200;
