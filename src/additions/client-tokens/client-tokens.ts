import type { Addition } from '../../kernel.ts';

/** Tokens for programs of end users, which get a part of the rights of the key that issued them. */
export const CLIENT_TOKENS: Addition = {
  name: 'client-tokens',
  async http() {
    const [{ clientTokenRoutes }, { CLIENT_TOKEN_OPERATIONS }, { CLIENT_CALLERS }] = await Promise.all([
      import('./client-token-routes.ts'),
      import('./client-token-operations.ts'),
      import('./client-access.ts'),
    ]);
    return { v1: clientTokenRoutes, operations: CLIENT_TOKEN_OPERATIONS, callers: CLIENT_CALLERS };
  },
};
