import { ServiceError } from '@darkroom-service/contract';
import { closedObject, SignedPart } from '@darkroom-service/contract/parts';
import { FileHeaders } from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import { fileBySignedKey } from '../../views/task-content.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { fileRoute, serveFile } from './serve-file.ts';

const SignedQuery = closedObject({
  expires: SignedPart('part of the signed address'),
  signature: SignedPart('part of the signed address'),
  download: Type.Optional(Type.Enum(['0', '1'])),
  variant: Type.Optional(Type.Enum(['output', 'original'])),
});

/**
 * Lifetime of a storage's address: longer than a client takes to follow a redirect. A storage does not check whether an
 * address lies in its future.
 */
const STORAGE_ADDRESS_MS = 60_000;

/**
 * Serves stored files under signed URLs: anyone with the URL can read the file until the signature expires or its key
 * is revoked.
 */
export function downloadRoutes(app: App, { services }: HttpOptions): void {
  fileRoute<{ Params: { '*': string }; Querystring: Static<typeof SignedQuery> }>(app, {
    url: '/files/*',
    files: 'any',
    schema: { tags: ['Files'], security: [], headers: FileHeaders, querystring: SignedQuery },
    handler: async (request, reply) => {
      const { expires = '', signature = '', download, variant } = request.query;
      const { '*': key } = request.params;
      const verdict = services.signer.verify(key, expires, signature);
      if (verdict !== 'good') {
        const reason = verdict === 'expired' ? 'has expired' : 'is missing or invalid';
        throw new ServiceError(
          'forbidden',
          `The signature of this URL ${reason}. Retrieve the task again for a new URL.`,
        );
      }
      const file = await fileBySignedKey(services, key, variant);
      if (file?.revoked)
        throw new ServiceError('forbidden', 'The API key of this signed URL was revoked. The URL works no longer.');
      if (file === null) throw new ServiceError('not_found', 'The file does not exist.');
      if (file.erased)
        throw new ServiceError('outputs_expired', 'The file was erased because it expired or was deleted.');
      const now = services.clock.now();
      const expiresAt = Number(expires);
      const secondsLeft = Math.max(0, Math.floor((expiresAt - now) / 1000));
      const { cdn } = services.settings;
      return await serveFile(request, reply, services, file, {
        download: download === '1',
        // A storage's own address cannot be revoked, and each request gets a new one. A CDN could not keep it.
        expiresAt: cdn === null ? Math.min(expiresAt, now + STORAGE_ADDRESS_MS) : null,
        maxAge: cdn === null ? secondsLeft : Math.min(secondsLeft, cdn.maxAgeSeconds),
        isShared: cdn !== null,
      });
    },
  });
}
