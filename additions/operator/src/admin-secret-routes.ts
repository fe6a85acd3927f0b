import { closedObject, OPTIONAL_BODY } from '@darkroom-service/contract/parts';
import { adminAction, SigningSecrets, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';

const Rotation = closedObject(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86_400,
        default: 86_400,
        description: 'how long addresses, share links and client tokens that were handed out still work',
      }),
    ),
  },
  OPTIONAL_BODY,
);

/** Replaces the secrets that sign addresses, share links and client tokens. No answer contains one. */
export function adminSecretRoutes(
  admin: App,
  { http, installation: { secrets } }: Pick<ServingKernel, 'http' | 'installation'>,
): void {
  admin.post<{ Body: Static<typeof Rotation> | undefined }>(
    '/admin/v1/signing_secrets/rotate',
    { schema: { ...adminAction(SigningSecrets), body: Rotation } },
    async (request, reply) => {
      const graceMs = (request.body?.grace_seconds ?? 86_400) * 1000;
      const rotated = await http.once(request, reply, {
        make: (_binding, by) => secrets.rotate(by, { graceMs }),
        again: (subject) => secrets.rotated(subject),
      });
      http.keys.forget();
      return success(rotated);
    },
  );
}
