import { useMutation } from '@tanstack/react-query';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
import { operationsTexts } from '../../texts/operations.ts';

const texts = operationsTexts.engines;

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
      const deed = kind === 'engine' ? 'POST /admin/v1/engines/{name}/pause' : 'POST /admin/v1/models/{name}/pause';
      await perform(deed, request, texts.pauseOf(name));
    },
    onSuccess,
  });
  const resume = useMutation({
    mutationFn: async (name: string) => {
      const deed = kind === 'engine' ? 'POST /admin/v1/engines/{name}/resume' : 'POST /admin/v1/models/{name}/resume';
      await perform(deed, { path: { name } }, texts.resumeOf(name));
    },
    onSuccess,
  });
  return { pause, resume };
}
