import { closedObject, pageOf } from '@darkroom-service/contract/parts';
import { adminAction, adminSchema, Limit, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { Alert } from './alert-wire.ts';
import { ALERT_KINDS, ALERT_STATES, LONGEST_SILENCE_SECONDS } from './alert-words.ts';
import { acknowledgeAlert, silenceAlert } from './answer-alert.ts';
import { getAlert, listAlerts } from './list-alerts.ts';

const AlertQuery = closedObject({
  state: Type.Optional(Type.Enum(ALERT_STATES, { description: 'default: both' })),
  kind: Type.Optional(Type.Enum(ALERT_KINDS, { description: 'default: all' })),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'an alert_id: alerts that began before it' })),
});

const Silence = closedObject({
  seconds: Type.Integer({
    minimum: 0,
    maximum: LONGEST_SILENCE_SECONDS,
    description: 'for how long; 0 = send messages again',
  }),
});

/** Serves alerts, with the receivers of their messages and the operators who acknowledged them. */
export function alertRoutes(admin: App, kernel: Pick<ServingKernel, 'accounts' | 'http' | 'store'>): void {
  const { http, store } = kernel;
  const publicUrlFor = (request: FastifyRequest) => http.linked(request).settings.publicUrl;
  admin.get(
    '/admin/v1/alerts',
    { schema: { ...adminSchema(pageOf(Alert)), querystring: AlertQuery } },
    async (request) => {
      const { state = null, kind = null, limit = 20, after = null } = request.query;
      const { items, hasMore } = await listAlerts(store.read, { state, kind, limit, after }, publicUrlFor(request));
      return success({ items, limit, has_more: hasMore });
    },
  );
  admin.post<{ Params: { alert_id: string } }>(
    '/admin/v1/alerts/:alert_id/acknowledge',
    { schema: adminAction(Alert) },
    async (request, reply) => {
      const { alert_id: id } = request.params;
      await http.once(request, reply, {
        make: (_binding, by) => acknowledgeAlert(kernel, by, id),
        again: async () => {},
      });
      return success(await getAlert(store.read, id, publicUrlFor(request)));
    },
  );
  admin.post<{ Params: { alert_id: string }; Body: Static<typeof Silence> }>(
    '/admin/v1/alerts/:alert_id/silence',
    { schema: { ...adminAction(Alert), body: Silence } },
    async (request, reply) => {
      const { alert_id: id } = request.params;
      await http.once(request, reply, {
        make: (_binding, by) => silenceAlert(kernel, by, id, request.body.seconds),
        again: async () => {},
      });
      return success(await getAlert(store.read, id, publicUrlFor(request)));
    },
  );
}
