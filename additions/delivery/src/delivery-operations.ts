import type { Operation } from '@darkroom-service/darkroom/kernel-http';

const redelivery = (id: string, subject: string): Operation => ({
  roles: 'order',
  id,
  summary: `Deliver the outputs of ${subject} again`,
  description:
    'To where the order said and under the same names, or to another `deliver_to`. Every output becomes `pending`. Also for a task that was ordered without `deliver_to`.',
  errors: ['task_not_found', 'task_expired', 'not_final', 'not_found', 'outputs_expired', 'idempotency_key_reused'],
});

/** The operations of deliveries, by method and path. */
export const DELIVERY_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/destinations': {
    roles: 'order',
    id: 'listDestinations',
    summary: 'List the destinations of your account',
    description: 'Buckets that `deliver_to` can name. Their credentials are never answered.',
  },
  'GET /v1/destinations/{name}': {
    roles: 'order',
    id: 'getDestination',
    summary: 'Get a destination',
    description: 'Its credentials are never answered.',
    errors: ['not_found'],
  },
  'PUT /v1/destinations/{name}': {
    roles: 'set_up',
    id: 'setDestination',
    summary: 'Set a destination',
    description:
      'Replaces an earlier one of this name, also for deliveries that are pending. Needs a live key with access to the whole account.',
    examples: {
      compatible: {
        summary: 'A bucket of an S3-compatible server',
        value: {
          bucket: 'pictures',
          endpoint: 'https://s3.example.com',
          access_key_id: 'AKIAEXAMPLE',
          secret_access_key: 'a-secret',
          path: 'darkroom/{date}/{task_id}-{n}.{ext}',
          default: true,
        },
      },
    },
  },
  'DELETE /v1/destinations/{name}': {
    roles: 'set_up',
    id: 'removeDestination',
    summary: 'Remove a destination',
    description:
      'Its credentials are erased. Pending deliveries fail after a day unless it is set again. Needs a live key with access to the whole account.',
    errors: ['not_found'],
  },
  'POST /v1/images/{task_id}/deliveries': redelivery('redeliverImage', 'an image task'),
  'POST /v1/videos/{task_id}/deliveries': redelivery('redeliverVideo', 'a video task'),
};
