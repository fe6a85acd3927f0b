/*
 * Helpers that load nothing. One part has an entry of its own:
 * - `samples`: it loads image and film libraries and fast-check, which takes longer than most tests themselves.
 */
export { serveHttp, serveHttps, serveProxy } from './http-host.ts';
export { type Lie, type LyingS3, startLyingS3 } from './lying-s3.ts';
export { answerInPieces } from './pieces.ts';
export { preloadInThreads } from './preload-threads.ts';
export { jsonMs, processorCost, processorMs } from './processor-cost.ts';
export { rounds } from './rounds.ts';
export { S3_CREDENTIALS, type S3Server, startS3Server } from './s3-server.ts';
export { pngChunk, solidPng } from './solid-png.ts';
export { until } from './until.ts';
