import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { refresh } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { keysTexts } from '../../texts/keys.ts';
import type { KeyRow } from './rows.ts';

const texts = keysTexts.rotation;
const A_DAY = '86400';

/** Rotates the secret of a key, with a grace period in which both work. */
export function RotateModal({
  row,
  onClose,
  onIssued,
}: {
  readonly row: KeyRow | null;
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}) {
  const [grace, setGrace] = useState(A_DAY);
  const rotate = useMutation({
    mutationFn: (keyId: string) =>
      call('POST /admin/v1/keys/{key_id}/rotate', { path: { key_id: keyId }, body: { grace_seconds: Number(grace) } }),
    onSuccess: async ({ key }) => {
      await refresh('GET /admin/v1/keys', 'GET /admin/v1/audit');
      onIssued(key);
    },
  });
  return (
    <Modal
      opened={row !== null}
      onClose={onClose}
      title={texts.title(row?.name ?? '')}
      closeButtonProps={{ 'aria-label': keysTexts.close }}
      centered
    >
      <Stack>
        <Text size="sm">{texts.text}</Text>
        <Select
          label={texts.grace}
          allowDeselect={false}
          data={[...texts.graces]}
          value={grace}
          onChange={(value) => setGrace(value ?? A_DAY)}
        />
        {rotate.error !== null && <ErrorNote title={texts.failed} error={rotate.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keysTexts.cancel}
          </Button>
          <Button loading={rotate.isPending} onClick={() => row !== null && rotate.mutate(row.key_id)}>
            {texts.submit}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
