import { closedObject, OPTIONAL_BODY } from '@darkroom-service/contract/parts';
import { adminAction, adminSchema, Service, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';

const HoldBody = closedObject(
  { message: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Customers read it.' })) },
  OPTIONAL_BODY,
);
const ReleaseQuery = closedObject({
  as: Type.Optional(
    Type.Enum(['successor', 'copy'], {
      description:
        'for a restored or copied installation: whether it takes the place of its original, or goes on beside it',
    }),
  ),
  webhooks: Type.Optional(
    Type.Enum(['send', 'drop'], {
      description:
        'with as: whether the webhooks of orders from before are sent, or never; left out: a successor sends them, a copy drops them',
    }),
  ),
});

/** Stops and resumes sending orders and webhooks. */
export function adminHoldRoutes(
  admin: App,
  { http, installation: { hold }, work }: Pick<ServingKernel, 'http' | 'installation' | 'work'>,
): void {
  admin.post<{ Body: Static<typeof HoldBody> | undefined }>(
    '/admin/v1/hold',
    { schema: { ...adminAction(Service), body: HoldBody } },
    async (request, reply) => {
      await http.once(request, reply, {
        make: (_binding, by) => hold.begin(by, request.body?.message ?? null),
        again: async () => {},
      });
      await hold.refresh();
      return success(hold.view());
    },
  );
  admin.delete<{ Querystring: Static<typeof ReleaseQuery> }>(
    '/admin/v1/hold',
    { schema: { ...adminSchema(Service), querystring: ReleaseQuery } },
    async (request) => {
      const { as, webhooks } = request.query;
      await hold.end(http.by(request), as, webhooks);
      await hold.refresh();
      work.wakeRunner();
      work.wake();
      return success(hold.view());
    },
  );
}
