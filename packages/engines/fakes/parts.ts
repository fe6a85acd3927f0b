/* Building blocks of fakes: a server, jobs, small files, and media tools without processes. */
export { sendFile } from './fake-files.ts';
export { createFakeJobs, wordsOf } from './fake-jobs.ts';
export { type Exchange, openFakeServer } from './fake-server.ts';
export type { FakeUpstream } from './fake-upstream.ts';
export { freePort } from './free-port.ts';
export { type HarnessTools, inProcessPictures, silentLog } from './in-process-pictures.ts';
export { pngChunk, withChunk } from './png-chunk.ts';
export { pictureBeyond, smallPicture } from './small-picture.ts';
