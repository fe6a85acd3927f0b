import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding, codedEtag, setCoding } from './coding.ts';

/** Shorter answers cost more to compress than to send. */
const LEAST_CHARACTERS = 8_192;
/** Compression level, the fastest: it makes a list of tasks six times smaller, and higher levels hardly more. */
const LEVEL = 1;
const compress = promisify(gzip);

/**
 * Compresses long JSON answers for clients that accept gzip, off the event loop. Does not compress answers with
 * `no-store` (secrets and errors), so that their length reveals nothing about their content.
 */
export function compressLongJson(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && payload.length >= LEAST_CHARACTERS && mayCompress(request, reply))
      void send(request, reply, payload).then((sent) => done(null, sent), done);
    else done(null, payload);
  });
}

function mayCompress(request: FastifyRequest, reply: FastifyReply): boolean {
  return (
    request.method !== 'HEAD' &&
    reply.getHeader('content-encoding') === undefined &&
    !String(reply.getHeader('cache-control') ?? '').includes('no-store') &&
    String(reply.getHeader('content-type') ?? '').startsWith('application/json')
  );
}

async function send(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  const coding = chooseCoding(request.headers['accept-encoding'], ['gzip', 'identity']);
  setCoding(reply, coding);
  if (coding === 'identity') return text;
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') reply.header('etag', codedEtag(etag, coding));
  return await compress(text, { level: LEVEL });
}
