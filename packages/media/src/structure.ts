/* Code that reads and changes files without decoding them: their kind, their parts, and the marks of their origin. */
export { HEAD_BYTES, isTiff, readHead, recognize } from './decoding/recognize.ts';
export { xmpOf } from './marks/mark.ts';
export { MarkFault } from './marks/mark-fault.ts';
export { type MarkOutcome, openMarking } from './marks/mark-stream.ts';
export { type OriginalPart, originalBytes, originalParts } from './marks/original.ts';
export type { Splice } from './marks/splicer.ts';
export { isPage } from './structure/is-page.ts';
export { walkPicture } from './structure/walk-picture.ts';
