import type { Addition } from '../../kernel.ts';

/**
 * Files that customers upload before they order. Stored, they are files like those made of data URIs of orders:
 * `upload:<file_id>` names them, and they expire and are erased like these.
 */
export const UPLOADS: Addition = {
  name: 'uploads',
  open: () => ({
    async http(kernel) {
      const [{ uploadRoutes }, { UPLOAD_OPERATIONS }] = await Promise.all([
        import('./upload-routes.ts'),
        import('./upload-operations.ts'),
      ]);
      return { v1: (v1) => uploadRoutes(v1, kernel), operations: UPLOAD_OPERATIONS, behind: ['/v1/client_tokens'] };
    },
  }),
};
