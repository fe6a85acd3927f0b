import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { refresh } from '../../api/use-api.ts';

export type SwitchKind = 'engine' | 'model';

/** Pausing and resuming engines or models. */
export function useSwitch(kind: SwitchKind) {
  const onSuccess = () =>
    refresh(
      `GET /admin/v1/${kind}s`,
      'GET /admin/v1/audit',
      'GET /admin/v1/models',
      'GET /v1/models',
      'GET /v1/catalog',
    );
  const pause = useMutation({
    mutationFn: async ({ name, reason }: { readonly name: string; readonly reason: string }) => {
      const request = { path: { name }, body: reason === '' ? {} : { reason } };
      await (kind === 'engine'
        ? call('POST /admin/v1/engines/{name}/pause', request)
        : call('POST /admin/v1/models/{name}/pause', request));
    },
    onSuccess,
  });
  const resume = useMutation({
    mutationFn: async (name: string) => {
      await (kind === 'engine'
        ? call('POST /admin/v1/engines/{name}/resume', { path: { name } })
        : call('POST /admin/v1/models/{name}/resume', { path: { name } }));
    },
    onSuccess,
  });
  return { pause, resume };
}
