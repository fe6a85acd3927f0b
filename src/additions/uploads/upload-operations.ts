import type { Operation } from '../../kernel-http.ts';

/** The texts of the operations for uploads. */
export const UPLOAD_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /v1/files': {
    roles: 'order',
    id: 'uploadFile',
    summary: 'Upload a file',
    description:
      'Send an image, video or sound as the raw body with its Content-Type, or as the only file of a multipart body. Name it as `upload:<file_id>` in orders. A file of one of your own customers names them in `end_user`, in the address or as a field of the form: their export has it, and it goes with their erasure.',
    errors: ['body_too_large', 'unsupported_media_type', 'storage_limit_reached', 'storage_full'],
  },
  'GET /v1/files/{file_id}': {
    roles: 'see_own_orders',
    id: 'getFile',
    summary: 'Get an uploaded file',
    description: 'Answers with the data of the file and a signed URL of its content.',
    errors: ['not_found', 'outputs_expired'],
  },
  'DELETE /v1/files/{file_id}': {
    roles: 'order',
    id: 'deleteFile',
    summary: 'Delete an uploaded file',
    description: 'Orders that use the file already keep working.',
    errors: ['not_found'],
  },
};
