import type { Operation } from '@darkroom-service/darkroom/kernel-http';

/** The operations of examples, by method and path. */
export const EXAMPLE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/examples': {
    roles: 'see_account',
    id: 'listExamples',
    summary: 'List the newest example of each model',
    description: 'Of the models that your key can order. Those without an example are left out.',
  },
  'GET /v1/models/{model_id}/examples': {
    roles: 'see_account',
    id: 'listModelExamples',
    summary: 'List the examples of a model',
    description:
      "The operator's own live orders that this model made: prompt, price and a small picture, at most 12, newest first. Until the operator shows one there are none.",
    errors: ['model_not_found', 'model_not_allowed', 'model_retired'],
  },
  'GET /examples/{example_id}': {
    roles: 'read_public',
    id: 'getExamplePicture',
    summary: 'Get the picture of an example',
    description: 'Needs no key. The address works until the operator removes the example or the order is deleted.',
    errors: ['invalid_request', 'not_found'],
  },
  'GET /admin/v1/examples': {
    roles: 'observe',
    id: 'adminListExamples',
    summary: 'List the examples of all models',
    description:
      'With the orders that they show; one with `task_id`, if that order is an example. Page with `after`, the last `example_id` of the page before.',
  },
  'PUT /admin/v1/tasks/{task_id}/example': {
    roles: 'run',
    id: 'adminMarkExample',
    summary: 'Show an order as an example of its model',
    description:
      "Everybody then sees its prompt, its price and a copy of its thumbnail, which outlives the order's retention. Takes live orders that succeeded, without `end_user` and of an account that has an admin key: the operator's own. A model has at most 12. Deleting the order or erasing its account removes the example. Repeating the request changes nothing.",
    errors: ['invalid_request', 'task_not_found', 'task_expired', 'not_final', 'not_found', 'outputs_expired'],
  },
  'DELETE /admin/v1/tasks/{task_id}/example': {
    roles: 'run',
    id: 'adminUnmarkExample',
    summary: 'Stop showing an order as an example',
    description: 'Also if the order itself has expired.',
    errors: ['not_found'],
  },
};
