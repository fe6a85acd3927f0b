import { judgeUrl } from '@darkroom-service/media';
import type { Addition, Opened } from '../../kernel.ts';

/**
 * Gives upstreams a URL to call when an order has ended, so that the order needs few checks. A call is a hint: it wakes
 * a check, and the check decides.
 */
export const CALLBACKS = callbacksTo(({ config: { publicUrl } }) =>
  publicUrl?.startsWith('https:') && judgeUrl(publicUrl, []).ok ? publicUrl : null,
);

/**
 * Creates the addition of callbacks.
 * @param addressOf returns the service's address that upstreams may call, without a slash at the end; null = none
 */
export function callbacksTo(addressOf: (opened: Pick<Opened, 'config' | 'services'>) => string | null): Addition {
  return {
    name: 'callbacks',
    async intercept(working) {
      const address = addressOf(working);
      if (address === null) return null;
      const tokens = await openTokens(working);
      return {
        callbackUrl: ({ id, fence }, engine) =>
          engine.readCallback === undefined ? null : address + tokens.sign({ engine: engine.name, taskId: id, fence }),
      };
    },
    async http(opened) {
      const [tokens, { callbackRoutes }, { createCallbackReceiver }] = await Promise.all([
        openTokens(opened),
        import('./callback-routes.ts'),
        import('./receive-callbacks.ts'),
      ]);
      const receiver = createCallbackReceiver(tokens, opened);
      return { open: (open, { bodyPace }, { takeTurn }) => callbackRoutes(open, receiver, bodyPace, takeTurn) };
    },
  };
}

async function openTokens({ signingSecrets }: Pick<Opened, 'signingSecrets'>) {
  const { createCallbackTokens } = await import('./callback-tokens.ts');
  return createCallbackTokens(() => signingSecrets.of('file_signature'));
}
