import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { operationsTexts } from '../../texts/operations.ts';

const texts = operationsTexts.unknown;

/** Asks for one finding about entries to reconcile. @param ids closed while there are none */
export function ResolveModal({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const [found, setFound] = useState('');
  const resolve = useMutation({
    mutationFn: () =>
      perform(
        'POST /admin/v1/reconciliation/resolve',
        { body: { ids: [...ids], resolution: found.trim() } },
        texts.resolveTitle(ids.length),
      ),
    onSuccess: async () => {
      await refresh('GET /admin/v1/reconciliation', 'GET /admin/v1/audit');
      setFound('');
      onClose();
    },
  });
  const close = () => {
    resolve.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resolve.mutate();
  };
  return (
    <Modal
      opened={ids.length > 0}
      onClose={close}
      title={texts.resolveTitle(ids.length)}
      closeButtonProps={{ 'aria-label': operationsTexts.close }}
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{texts.resolveText(ids.length)}</Text>
          <Textarea
            label={texts.resolution}
            placeholder={texts.placeholder}
            required
            autosize
            minRows={3}
            maxLength={2000}
            value={found}
            onChange={(event) => setFound(event.currentTarget.value)}
            data-autofocus
          />
          {resolve.error !== null && <ErrorNote title={texts.failed} error={resolve.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {operationsTexts.cancel}
            </Button>
            <Button type="submit" loading={resolve.isPending} disabled={found.trim() === ''}>
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
