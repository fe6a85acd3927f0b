import { adminOnly, anyKey, type Row } from './access-callers.ts';

/** The operations of people and their roles. What people of each role are answered is in `permissions.test.ts`. */
export const PEOPLE_ROWS: Readonly<Record<string, Row>> = {
  // Only people who sign in have members, keys and orders of their account: see permissions.test.ts.
  'GET /v1/account/members': { expected: anyKey(403) },
  'PATCH /v1/account/members/{person_id}': {
    path: () => '/v1/account/members/psn_missing',
    body: () => ({ role: 'viewer' }),
    expected: anyKey(403),
  },
  'DELETE /v1/account/members/{person_id}': {
    path: () => '/v1/account/members/psn_missing',
    expected: anyKey(403),
  },
  'GET /v1/account/invitations': { expected: anyKey(403) },
  'POST /v1/account/invitations': { body: () => ({ role: 'viewer' }), expected: anyKey(403) },
  'DELETE /v1/account/invitations/{invitation_id}': {
    path: () => '/v1/account/invitations/inv_missing',
    expected: anyKey(403),
  },
  'GET /v1/account/keys': { expected: anyKey(403) },
  'POST /v1/account/keys': { body: () => ({ mode: 'test' }), expected: anyKey(403) },
  'PATCH /v1/account/keys/{key_id}': {
    path: ({ keyId }) => `/v1/account/keys/${keyId}`,
    body: () => ({ name: 'renamed' }),
    expected: anyKey(403),
  },
  'POST /v1/account/keys/{key_id}/rotate': {
    path: ({ keyId }) => `/v1/account/keys/${keyId}/rotate`,
    expected: anyKey(403),
  },
  'POST /v1/account/keys/{key_id}/revoke': {
    path: ({ keyId }) => `/v1/account/keys/${keyId}/revoke`,
    expected: anyKey(403),
  },
  'GET /v1/account/tasks': { path: () => '/v1/account/tasks?type=image', expected: anyKey(403) },
  'GET /v1/account/tasks/{task_id}': {
    path: ({ image }) => `/v1/account/tasks/${image.task_id}`,
    expected: anyKey(403),
  },
  'GET /v1/account/tasks/{task_id}/content': {
    path: ({ image }) => `/v1/account/tasks/${image.task_id}/content`,
    expected: anyKey(403),
  },
  'GET /admin/v1/people': { expected: adminOnly(200) },
  'PUT /admin/v1/people/{person_id}/role': {
    path: () => '/admin/v1/people/psn_missing/role',
    body: () => ({ account_id: null, role: 'operator' }),
    expected: adminOnly(404),
  },
  'POST /admin/v1/people/{person_id}/sign_out': {
    path: () => '/admin/v1/people/psn_missing/sign_out',
    expected: adminOnly(404),
  },
  'GET /admin/v1/invitations': { expected: adminOnly(200) },
  'POST /admin/v1/invitations': { body: () => ({ role: 'operator' }), expected: adminOnly(201) },
  'DELETE /admin/v1/people/{person_id}': {
    path: () => '/admin/v1/people/psn_missing',
    expected: adminOnly(404),
  },
  'DELETE /admin/v1/invitations/{invitation_id}': {
    path: () => '/admin/v1/invitations/inv_missing',
    expected: adminOnly(404),
  },
};
