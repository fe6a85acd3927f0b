import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import { closedObject, OPTIONAL_BODY } from '@darkroom-service/contract/parts';
import { adminAction, adminSchema, success } from '@darkroom-service/contract/schemas';
import type { Act, ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import type { LocalGallery } from './gallery.ts';
import { LocalModel, LocalModels, type LocalModelView, RemovedLocalModel } from './local-wire.ts';

const Named = Type.Object({ name: Type.String({ maxLength: 64 }) });
const Pull = closedObject(
  {
    build: Type.Optional(
      Type.String({ maxLength: 64, description: 'One of `builds`, or `none` to pull the model alone.' }),
    ),
    accept_licence: Type.Optional(Type.Boolean({ description: 'You have read the licence and accept it.' })),
    accept_unverified: Type.Optional(Type.Boolean({ description: 'Use the facts that only the hub tells.' })),
    ignore_memory: Type.Optional(
      Type.Boolean({ description: 'Also pull a model that needs more memory than the machine has.' }),
    ),
  },
  OPTIONAL_BODY,
);

/** Serves the models of this machine: those that can be pulled, and pulling and removing them. */
export function localRoutes(
  admin: App,
  { accounts, http, store }: Pick<ServingKernel, 'accounts' | 'http' | 'store'>,
  gallery: LocalGallery,
): void {
  admin.get('/admin/v1/local/models', { schema: adminSchema(LocalModels) }, async () => success(await gallery.list()));
  admin.post<{ Params: Static<typeof Named>; Body: Static<typeof Pull> | undefined }>(
    '/admin/v1/local/models/:name/pull',
    { schema: { ...adminAction(LocalModel), params: Named, body: Pull } },
    async (request, reply) => {
      const { name } = request.params;
      const { build, accept_licence, accept_unverified, ignore_memory } = request.body ?? {};
      const choices = {
        build,
        acceptLicence: accept_licence === true,
        acceptUnverified: accept_unverified === true,
        ignoreMemory: ignore_memory === true,
      };
      const view = await http.once(request, reply, {
        async make(binding, by) {
          const pulled = await binding.around(name, () => gallery.pull(name, choices));
          await record(by, 'local.pull', name, { ...request.body });
          return pulled;
        },
        again: viewOf,
      });
      return success(view);
    },
  );
  admin.post<{ Params: Static<typeof Named> }>(
    '/admin/v1/local/models/:name/cancel',
    { schema: { ...adminAction(LocalModel), params: Named } },
    async (request, reply) => {
      const { name } = request.params;
      const view = await http.once(request, reply, {
        async make(binding, by) {
          const canceled = await binding.around(name, () => gallery.cancel(name));
          await record(by, 'local.cancel', name, {});
          return canceled;
        },
        again: viewOf,
      });
      return success(view);
    },
  );
  admin.delete<{ Params: Static<typeof Named> }>(
    '/admin/v1/local/models/:name',
    { schema: { ...adminSchema(RemovedLocalModel), params: Named } },
    async (request) => {
      const { name } = request.params;
      const removed = await gallery.remove(name);
      await record(http.by(request), 'local.remove', name, { bytes: removed.bytes });
      return success(removed);
    },
  );

  async function viewOf(name: string): Promise<LocalModelView> {
    const model = (await gallery.list()).items.find((one) => one.name === name);
    if (model === undefined) throw new ServiceError('not_found', `There is no local model '${name}' any more.`);
    return model;
  }

  async function record(by: Act, act: string, target: string, detail: JsonObject): Promise<void> {
    await store.write('record_local_act', (trx) => accounts.record(trx, by, { act, target, detail }));
  }
}
