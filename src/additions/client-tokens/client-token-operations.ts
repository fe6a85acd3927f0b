import type { Operation } from '../../kernel-http.ts';

/** The texts of the operation that issues client tokens. */
export const CLIENT_TOKEN_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /v1/client_tokens': {
    roles: 'act_for_end_users',
    id: 'createClientToken',
    summary: 'Issue a token for a program of an end user',
    description:
      'For pages and apps that must not have your key. The token orders for one end user and sees only its tasks and files. It ends with the secret of the key that issued it.',
    examples: {
      page: {
        summary: 'For a page of a customer',
        value: { end_user: 'customer-17', models: ['flux-*'], max_price: '0.05', rpm: 10, expires_in: 900 },
      },
    },
  },
};
