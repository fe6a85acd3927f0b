import type { Operation } from '@darkroom-service/darkroom/kernel-http';

const NOT_FOUND = ['not_found'] as const;

/** The operations of people and their roles, by method and path. */
export const PEOPLE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/account/members': {
    roles: 'manage_members',
    id: 'listMembers',
    summary: 'List the members of your account',
    description: 'By person_id, with their roles, limits and spending. Only for people who sign in, as managers.',
  },
  'PATCH /v1/account/members/{person_id}': {
    roles: 'manage_members',
    id: 'changeMember',
    summary: 'Change the role or the limits of a member',
    description:
      'Bearers of the role before end at once. A role by a group of the sign-in provider stays, if it is the higher one. Limits replace those before and hold for live orders.',
    errors: NOT_FOUND,
    examples: {
      limits: { summary: 'Twenty dollars a month', value: { limits: { month: '20.00' } } },
      role: { summary: 'Another role', value: { role: 'creator' } },
    },
  },
  'DELETE /v1/account/members/{person_id}': {
    roles: 'manage_members',
    id: 'removeMember',
    summary: 'Remove a member from your account',
    description:
      'Their bearers end at once; their orders stay with the account. A role by a group ends only at the provider. API keys go on working: the answer lists those of the account that the person knows, and `revoke_keys=true` revokes them.',
    errors: NOT_FOUND,
  },
  'GET /v1/account/invitations': {
    roles: 'manage_members',
    id: 'listInvitations',
    summary: 'List the open invitations to your account',
    description: 'Those that nobody has accepted and that have not expired.',
  },
  'POST /v1/account/invitations': {
    roles: 'manage_members',
    id: 'invite',
    summary: 'Invite somebody to your account',
    description:
      'Answers with a link to hand on. Whoever signs in with it and accepts first gets the role. It works once, within seven days.',
    errors: NOT_FOUND,
    examples: { creator: { summary: 'As a creator', value: { role: 'creator', email: 'ada@example.com' } } },
  },
  'DELETE /v1/account/invitations/{invitation_id}': {
    roles: 'manage_members',
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation to your account',
    description: 'Its link stops working at once.',
    errors: NOT_FOUND,
  },
  'GET /v1/account/keys': {
    roles: 'manage_keys',
    id: 'listAccountKeys',
    summary: 'List the keys of your account',
    description: 'Live and test keys, revoked ones too. Only for people who sign in, as managers.',
  },
  'POST /v1/account/keys': {
    roles: 'manage_keys',
    id: 'createAccountKey',
    summary: 'Create a key of your account',
    description: 'The secret is in this answer and never again.',
    errors: NOT_FOUND,
    examples: { test: { summary: 'A test key', value: { mode: 'test', name: 'shop on staging' } } },
  },
  'PATCH /v1/account/keys/{key_id}': {
    roles: 'manage_keys',
    id: 'changeAccountKey',
    summary: 'Change a key of your account',
    description: 'Sets only the fields that are sent.',
    errors: NOT_FOUND,
    examples: { limit: { summary: 'A limit', value: { spend_limits: { day: '5.00' } } } },
  },
  'POST /v1/account/keys/{key_id}/rotate': {
    roles: 'manage_keys',
    id: 'rotateAccountKey',
    summary: 'Give a key of your account a new secret',
    description: 'The old secret works for the grace period.',
    errors: NOT_FOUND,
    examples: { hour: { summary: 'With an hour of grace', value: { grace_seconds: 3600 } } },
  },
  'POST /v1/account/keys/{key_id}/revoke': {
    roles: 'manage_keys',
    id: 'revokeAccountKey',
    summary: 'Revoke a key of your account',
    description: 'For good.',
    errors: NOT_FOUND,
  },
  'GET /v1/account/tasks': {
    roles: 'see_all_orders',
    id: 'listAccountTasks',
    summary: 'List the orders of your account',
    description:
      'Those of everybody in the account, by whichever key, in the mode of the bearer; newest first, with `search` those that have these words. Only for people who sign in. To see your own with all filters, use `GET /v1/images` and `GET /v1/videos`.',
  },
  'GET /v1/account/tasks/{task_id}': {
    roles: 'see_all_orders',
    id: 'getAccountTask',
    summary: 'Get an order of your account',
    description: 'The same for one order.',
    errors: ['task_not_found', 'task_expired'],
  },
  'GET /v1/account/tasks/{task_id}/content': {
    roles: 'see_all_orders',
    id: 'getAccountTaskContent',
    summary: 'Download the output of an order of your account',
    description: 'As `GET /v1/images/{task_id}/content` does for your own.',
    errors: ['task_not_found', 'task_expired', 'not_found', 'not_final', 'outputs_expired', 'range_not_satisfiable'],
  },
  'GET /admin/v1/people': {
    roles: 'observe',
    id: 'listPeople',
    summary: 'List people',
    description: 'Everybody who has signed in, by person_id, with their roles and open sessions.',
  },
  'PUT /admin/v1/people/{person_id}/role': {
    roles: 'manage_people',
    id: 'setPersonRole',
    summary: 'Set the role of a person',
    description:
      'In an account, or as an operator. Bearers of the role before end at once. A role by a group of the sign-in provider stays, if it is the higher one.',
    errors: NOT_FOUND,
    examples: { owner: { summary: 'An owner', value: { account_id: null, role: 'owner' } } },
  },
  'POST /admin/v1/people/{person_id}/sign_out': {
    roles: 'run',
    id: 'signOutPerson',
    summary: 'End all sessions of a person',
    description: 'In every browser and command line. The person can sign in again as long as a role is left.',
    errors: NOT_FOUND,
  },
  'DELETE /admin/v1/people/{person_id}': {
    roles: 'manage_people',
    id: 'removePerson',
    summary: 'Remove a person',
    description:
      'Answers the person as they were. Name, email address, roles and sessions go at once. API keys go on working: the answer lists those that the person knows, and `revoke_keys=true` revokes them. Their orders stay, with the `person_id` as end user: request an erasure for it to erase what they contain. Whoever signs in again is a new person.',
    errors: NOT_FOUND,
  },
  'GET /admin/v1/invitations': {
    roles: 'observe',
    id: 'listAllInvitations',
    summary: 'List open invitations',
    description: 'To the operators, or to one account.',
  },
  'POST /admin/v1/invitations': {
    roles: 'manage_people',
    id: 'inviteAnyone',
    summary: 'Invite somebody to an account or to the operators',
    description:
      'Answers with a link to hand on. Whoever signs in with it and accepts first gets the role. It works once, within seven days.',
    errors: NOT_FOUND,
    examples: {
      owner: { summary: 'The first owner', value: { role: 'owner' } },
      manager: { summary: 'A manager of an account', value: { account_id: 'studio', role: 'manager' } },
    },
  },
  'DELETE /admin/v1/invitations/{invitation_id}': {
    roles: 'manage_people',
    id: 'withdrawAnyInvitation',
    summary: 'Withdraw an invitation',
    description: 'Its link stops working at once.',
    errors: NOT_FOUND,
  },
};
