import type { Operation } from '@darkroom-service/darkroom/kernel-http';

export const LOCAL_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /admin/v1/local/models': {
    roles: 'observe',
    id: 'adminListLocalModels',
    summary: 'List models of this machine',
    description: 'Those that can be pulled, with size, licence and progress, and the servers that Darkroom starts.',
  },
  'POST /admin/v1/local/models/{name}/pull': {
    roles: 'run',
    id: 'adminPullLocalModel',
    summary: 'Pull a model',
    description:
      'The process that answers downloads the model; the answer comes at once. A stopped pull continues where it was.',
    errors: ['not_found'],
  },
  'POST /admin/v1/local/models/{name}/cancel': {
    roles: 'run',
    id: 'adminCancelLocalPull',
    summary: 'Stop the pull of a model',
    description: 'What has arrived is kept for the next pull.',
    errors: ['not_found'],
  },
  'DELETE /admin/v1/local/models/{name}': {
    roles: 'run',
    id: 'adminRemoveLocalModel',
    summary: 'Remove a pulled model',
    description: 'Removes its files and unfinished downloads. Files that another model uses stay.',
    errors: ['not_found'],
  },
};
