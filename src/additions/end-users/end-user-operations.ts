import type { Operation } from '../../kernel-http.ts';

/** The texts of the operations for end users. */
export const END_USER_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/end_users': {
    roles: 'act_for_end_users',
    id: 'listEndUsers',
    summary: 'List the end users of your key',
    description:
      'By name: those with limits, and those with an order whose data are still kept. Page with `after`, the end_user of the last one of the page before.',
  },
  'GET /v1/end_users/{end_user}': {
    roles: 'act_for_end_users',
    id: 'getEndUser',
    summary: 'Get the limits and the spending of an end user',
    description: 'An end user that has not ordered yet has spent nothing.',
  },
  'PUT /v1/end_users/{end_user}': {
    roles: 'act_for_end_users',
    id: 'setEndUserLimits',
    summary: 'Set the limits of an end user',
    description:
      'Replaces all limits that the end user has. They count what its windows hold already. A window that is left out has the limit of your key.',
    examples: {
      limits: { summary: 'A day and a month', value: { limits: { day: '1.00', month: '20.00', total: null } } },
    },
  },
  'DELETE /v1/end_users/{end_user}': {
    roles: 'act_for_end_users',
    id: 'deleteEndUserLimits',
    summary: 'Remove the limits of an end user',
    description: 'It has the limits of your key again. Its tasks and its spending stay.',
  },
};
