/* Code that opens untrusted files, with sharp and mediabunny, or signs them: for guarded separate processes. */

import { loadPart } from './load-part.ts';
import type { SignOptions, SignOutcome } from './marks/mark-file.ts';

export { loadCodecs } from './decoding/codecs.ts';
export { decodeFrame, decodeFrames } from './decoding/decode-frame.ts';
export { decodeSound } from './decoding/decode-sound.ts';
export { fitEditMask } from './decoding/edit-mask.ts';
export { editPicture } from './decoding/picture-operations.ts';
export { makePreview } from './decoding/preview.ts';
export { openPicture, probeFile } from './decoding/probe-file.ts';
export { makeThumbnail } from './decoding/thumbnail.ts';
export type { SignOptions };

/**
 * Copies a file and adds a signed C2PA manifest; null for a format that cannot hold one. Loads the signing code only
 * when called: painter processes only decode, and loading it took a third of their start's processor time.
 */
export async function signFile(path: string, to: string, options: SignOptions): Promise<SignOutcome | null> {
  const signer = await loadPart(() => import('./marks/mark-file.ts'));
  return await signer.signFile(path, to, options);
}
