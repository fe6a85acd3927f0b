import type { Addition } from '../../kernel.ts';

/** Tokens for programs of end users, which get a part of the rights of the key that issued them. */
export const CLIENT_TOKENS: Addition = {
  name: 'client-tokens',
  open: () => ({
    async http(kernel) {
      const [{ clientTokenRoutes }, { CLIENT_TOKEN_OPERATIONS }, { CLIENT_CALLERS }] = await Promise.all([
        import('./client-token-routes.ts'),
        import('./client-token-operations.ts'),
        import('./client-access.ts'),
      ]);
      return {
        v1: (v1) => clientTokenRoutes(v1, kernel),
        operations: CLIENT_TOKEN_OPERATIONS,
        callers: CLIENT_CALLERS,
      };
    },
  }),
};
