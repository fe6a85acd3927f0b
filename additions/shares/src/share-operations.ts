import { ANY, type Operation } from '@darkroom-service/darkroom/kernel-http';

const ID = 'img_01kafx2r5gq3v8m1t0z6y4n7wd';
const FILE_ERRORS: Operation['errors'] = [
  ...ANY,
  'invalid_request',
  'unsupported_field',
  'forbidden',
  'not_found',
  'outputs_expired',
  'range_not_satisfiable',
];

/** The operations of share links, by method and path. */
export const SHARE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /v1/shares': {
    roles: 'order',
    id: 'createShare',
    summary: 'Make a link that shows results',
    description:
      'The link works without a key until it expires, is revoked, or its tasks or key end. It shows the image or video, or those of a list in `task_ids`, and the prompts only if `show_prompt` is true. The list is fixed; an erased task disappears from it.',
    errors: ['task_not_found', 'not_found', 'not_final', 'outputs_expired', 'share_limit_reached'],
    examples: {
      day: { summary: 'For a day, with the prompt', value: { task_id: ID, expires_in: 86_400, show_prompt: true } },
      several: { summary: 'Several results', value: { task_ids: [ID, 'vid_01kafx4h8wq2m6v9y1c5d8e3f0'] } },
    },
  },
  'GET /v1/shares': {
    roles: 'see_own_orders',
    id: 'listShares',
    summary: 'List the share links of your key',
    description: 'Those that work, newest first. Page with `after`, the share_id of the last one of the page before.',
  },
  'GET /v1/shares/{share_id}': {
    roles: 'see_own_orders',
    id: 'getShare',
    summary: 'Get a share link',
    description: 'Answers with its URLs again, as long as the link works.',
    errors: ['not_found'],
  },
  'DELETE /v1/shares/{share_id}': {
    roles: 'order',
    id: 'deleteShare',
    summary: 'Revoke a share link',
    description: 'It stops working at once. Files that were saved before stay where they are.',
    errors: ['not_found'],
  },
  'GET /shares/{share_id}/file': {
    roles: 'read_public',
    id: 'downloadShare',
    summary: 'Download a shared file',
    description:
      'Needs no API key: the signature in the URL is the permission. `file_url` of a share link is this URL.',
    errors: FILE_ERRORS,
  },
  'GET /shares/{share_id}/files/{number}': {
    roles: 'read_public',
    id: 'downloadSharedFile',
    summary: 'Download one of several shared files',
    description:
      'Files are numbered from 1, in the order of `task_ids` when the link was made. Needs no API key: the query of `file_url` is the permission here, too.',
    errors: FILE_ERRORS,
  },
};
