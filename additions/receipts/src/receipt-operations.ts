import { ANY, type Operation } from '@darkroom-service/darkroom/kernel-http';

const ofTask = (type: 'image' | 'video'): Operation => ({
  roles: 'see_spending',
  id: type === 'image' ? 'getImageReceipt' : 'getVideoReceipt',
  summary: `Get the receipt of ${type === 'image' ? 'an image' : 'a video'} task`,
  description:
    'What is certain about a task that has ended: what was ordered, where it was made, what it cost, and the hash of each output, signed with Ed25519. `content` is the signed document for reading; a verifier decodes `jws`. Once the task is erased, input and outputs are null.',
  errors: ['task_not_found', 'task_expired', 'not_final'],
});

/** The operations of receipts, by method and path. */
export const RECEIPT_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/images/{task_id}/receipt': ofTask('image'),
  'GET /v1/videos/{task_id}/receipt': ofTask('video'),
  'GET /v1/batches/{batch_id}/receipt': {
    roles: 'see_spending',
    id: 'getBatchReceipt',
    summary: 'Get the receipt of a batch',
    description:
      'The sums of a batch that has ended, and the status, the charge and the hashes of each of its tasks, signed as the receipt of a task.',
    errors: ['not_found', 'not_final'],
  },
  'GET /.well-known/jwks.json': {
    roles: 'read_public',
    id: 'getReceiptKeys',
    summary: 'Get the keys that verify receipts',
    description: 'A JWK Set without an envelope. The keys of earlier receipts stay in it after a rotation.',
    errors: [...ANY, 'unsupported_field', 'rate_limited'],
  },
};
