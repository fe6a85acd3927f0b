/* Pictures, films, sounds, certificates and texts to test with, and files that attack a decoder. */
import * as bombs from './bombs.ts';

export { anyCharacter } from './any-character.ts';
export { markBytes, markStream } from './mark-bytes.ts';
export { decoded, mediaSamples } from './media-samples.ts';
export { plainFilm } from './plain-film.ts';
export { makeCertificate, makeTrustedCertificate } from './test-certificate.ts';
export { testSigning } from './test-signing.ts';
export { PICTURES_OF_PARTS } from './tiny-parts.ts';
export { bombs };
