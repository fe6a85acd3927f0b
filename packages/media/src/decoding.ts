/* What opens files of strangers, with sharp and mediabunny, or signs them: for guarded processes of their own. */
export { loadCodecs } from './decoding/codecs.ts';
export { decodeFrame, decodeFrames } from './decoding/decode-frame.ts';
export { decodeSound } from './decoding/decode-sound.ts';
export { fitEditMask } from './decoding/edit-mask.ts';
export { editPicture } from './decoding/picture-operations.ts';
export { makePreview } from './decoding/preview.ts';
export { openPicture, probeFile } from './decoding/probe-file.ts';
export { makeThumbnail } from './decoding/thumbnail.ts';
export { type SignOptions, signFile } from './marks/mark-file.ts';
