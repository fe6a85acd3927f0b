import { type Static, Type } from 'typebox';
import { ServiceError } from '../../base/errors.ts';
import { fileBySignedKey } from '../../views/task-content.ts';
import { FileHeaders } from '../../wire/orders.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { fileRoute, serveFile } from './serve-file.ts';

const SignedQuery = Type.Object(
  {
    expires: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
    download: Type.Optional(Type.Enum(['0', '1'])),
  },
  { additionalProperties: false },
);

/** Stored files under signed URLs: anyone with the URL can read the file until the signature expires. */
export function downloadRoutes(app: App, { services }: HttpOptions): void {
  fileRoute<{ Params: { '*': string }; Querystring: Static<typeof SignedQuery> }>(app, {
    url: '/files/*',
    schema: { tags: ['Files'], security: [], headers: FileHeaders, querystring: SignedQuery },
    handler: async (request, reply) => {
      const { expires = '', signature = '', download } = request.query;
      const { '*': key } = request.params;
      const verdict = services.signer.verify(key, expires, signature);
      if (verdict !== 'good') {
        const reason = verdict === 'expired' ? 'has expired' : 'is missing or invalid';
        throw new ServiceError(
          'forbidden',
          `The signature of this URL ${reason}. Retrieve the task again for a new URL.`,
        );
      }
      const file = await fileBySignedKey(services, key);
      if (file === null) throw new ServiceError('not_found', 'The file does not exist.');
      if (file.erased)
        throw new ServiceError('outputs_expired', 'The file was erased because it expired or was deleted.');
      const expiresAt = Number(expires);
      return await serveFile(request, reply, services.storage, file, {
        download: download === '1',
        expiresAt,
        maxAge: Math.max(0, Math.floor((expiresAt - services.clock.now()) / 1000)),
      });
    },
  });
}
