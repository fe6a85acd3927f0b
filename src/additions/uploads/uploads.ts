import type { Addition } from '../../kernel.ts';

/**
 * Files that customers hand in before they order. Stored, they are files like those that data URIs of orders become:
 * `upload:<file_id>` names them, and they expire and are erased with these.
 */
export const UPLOADS: Addition = {
  name: 'uploads',
  async http() {
    const [{ uploadRoutes }, { UPLOAD_OPERATIONS }] = await Promise.all([
      import('./upload-routes.ts'),
      import('./upload-operations.ts'),
    ]);
    return { v1: uploadRoutes, operations: UPLOAD_OPERATIONS, behind: ['/v1/client_tokens'] };
  },
};
