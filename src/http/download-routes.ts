import { Type } from 'typebox';
import { ServiceError } from '../base/errors.ts';
import { fileBySignedKey } from '../tasks/task-content.ts';
import type { App, HttpOptions } from './http-options.ts';
import { fileRoute, serveFile } from './serve-file.ts';

const SignedQuery = Type.Object(
  {
    expires: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
    download: Type.Optional(Type.Enum(['0', '1'])),
  },
  { additionalProperties: false },
);

/** Stored files under signed addresses: whoever has the address has the file, for as long as the signature holds. */
export function downloadRoutes(app: App, { desk }: HttpOptions): void {
  fileRoute(app, {
    url: '/files/*',
    schema: { tags: ['Files'], summary: 'A file under its signed address', security: [], querystring: SignedQuery },
    handler: async (request, reply) => {
      const {
        expires = '',
        signature = '',
        download,
      } = request.query as { expires?: string; signature?: string; download?: string };
      const { '*': key } = request.params as { '*': string };
      const verdict = desk.signer.verify(key, expires, signature);
      if (verdict !== 'good') {
        const reason = verdict === 'expired' ? 'has run out' : 'is missing or wrong';
        throw new ServiceError(
          'forbidden',
          `The signature of this address ${reason}. Retrieve the task again for a fresh one.`,
        );
      }
      const file = await fileBySignedKey(desk, key);
      if (file === null) throw new ServiceError('not_found', 'There is no such file.');
      if (file.erased)
        throw new ServiceError('outputs_expired', 'This file was erased: its time was over, or it was deleted.');
      const expiresAt = Number(expires);
      return await serveFile(request, reply, desk.storage, file, {
        download: download === '1',
        expiresAt,
        maxAge: Math.max(0, Math.floor((expiresAt - desk.clock.now()) / 1000)),
      });
    },
  });
}
