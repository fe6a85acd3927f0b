import { judgeUrl } from '@darkroom-service/media';
import type { Addition, Kernel } from '../../kernel.ts';

/**
 * Gives upstreams a URL to call when an order has ended, so that the order needs few checks. A call is a hint: it wakes
 * a check, and the check decides.
 */
export const CALLBACKS = callbacksTo(({ settings: { knownUrl } }) =>
  knownUrl?.startsWith('https:') && judgeUrl(knownUrl, []).ok ? knownUrl : null,
);

/**
 * Creates the addition of callbacks.
 * @param addressOf returns the service's address that upstreams may call, without a slash at the end; null = none
 */
export function callbacksTo(addressOf: (kernel: Kernel) => string | null): Addition {
  return {
    name: 'callbacks',
    open: (kernel) => ({
      async judge() {
        const address = addressOf(kernel);
        if (address === null) return null;
        const tokens = await openTokens(kernel);
        return {
          callbackUrl: ({ id, fence }, engine) =>
            engine.readCallback === undefined
              ? null
              : address + tokens.sign({ engine: engine.name, taskId: id, fence }),
        };
      },
      async http({ http }) {
        const [tokens, { callbackRoutes }, { createCallbackReceiver }] = await Promise.all([
          openTokens(kernel),
          import('./callback-routes.ts'),
          import('./receive-callbacks.ts'),
        ]);
        const receiver = createCallbackReceiver(tokens, kernel);
        return { open: (open, _options, { takeTurn }) => callbackRoutes(open, receiver, http, takeTurn) };
      },
    }),
  };
}

async function openTokens({ accounts }: Pick<Kernel, 'accounts'>) {
  const { createCallbackTokens } = await import('./callback-tokens.ts');
  return createCallbackTokens(() => accounts.signingSecret('file_signature'));
}
