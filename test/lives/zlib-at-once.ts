import { syncBuiltinESMExports } from 'node:module';
import zlib, { deflateSync, inflateSync } from 'node:zlib';

type Done = (error: Error | null, result: Buffer) => void;

/**
 * Compresses on this thread what a service gives to another one, because nothing tells when that is done, and a busy
 * machine would tell another story. Imported before any code of the service.
 */
Object.assign(zlib, {
  deflate: (bytes: Buffer, options: zlib.ZlibOptions, done: Done) => done(null, deflateSync(bytes, options)),
  inflate: (bytes: Buffer, done: Done) => done(null, inflateSync(bytes)),
});
syncBuiltinESMExports();
