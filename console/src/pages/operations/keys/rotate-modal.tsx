import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorNote } from '../../../components/error-note.tsx';
import { keysTexts } from '../../../texts/keys.ts';
import { LostSecret } from './lost-secret.tsx';
import type { KeyRow } from './rows.ts';
import { useRotation } from './use-rotation.ts';

const texts = keysTexts.rotation;
const A_DAY = '86400';

interface FormProps {
  readonly row: KeyRow;
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}

/** Rotates the secret of a key, with a grace period in which both work. */
export function RotateModal({ row, ...rest }: Omit<FormProps, 'row'> & { readonly row: KeyRow | null }) {
  return (
    <Modal
      opened={row !== null}
      onClose={rest.onClose}
      title={texts.title(row?.name ?? '')}
      closeButtonProps={{ 'aria-label': keysTexts.close }}
      centered
    >
      {row !== null && <RotateForm row={row} {...rest} />}
    </Modal>
  );
}

function RotateForm({ row, onClose, onIssued }: FormProps) {
  const [grace, setGrace] = useState(A_DAY);
  const rotate = useRotation(onIssued);
  const isLost = rotate.data?.key === null;
  return (
    <Stack>
      <Text size="sm">{texts.text}</Text>
      <Select
        label={texts.grace}
        allowDeselect={false}
        data={[...texts.graces]}
        value={grace}
        onChange={(value) => setGrace(value ?? A_DAY)}
      />
      {isLost && <LostSecret title={texts.lost} />}
      {rotate.error !== null && <ErrorNote title={texts.failed} unknown={texts.unknown} error={rotate.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {keysTexts.cancel}
        </Button>
        <Button
          loading={rotate.isPending}
          onClick={() => rotate.mutate({ keyId: row.key_id, name: row.name, grace: Number(grace) })}
        >
          {isLost ? texts.again : texts.submit}
        </Button>
      </Group>
    </Stack>
  );
}
