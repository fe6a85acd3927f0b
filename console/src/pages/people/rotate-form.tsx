import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../components/dialog-form.tsx';
import { keysTexts } from '../../texts/keys.ts';
import type { KeySource } from './key-source.ts';
import { LostSecret } from './lost-secret.tsx';
import type { KeyRow } from './rows.ts';
import { useRotation } from './use-rotation.ts';

const texts = keysTexts.rotation;
const A_DAY = '86400';

/** Rotates the secret of a key, with a grace period in which both work. */
export function RotateForm({
  source,
  row,
  onClose,
  onIssued,
}: {
  readonly source: KeySource;
  readonly row: KeyRow;
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}) {
  const [grace, setGrace] = useState(A_DAY);
  const rotate = useRotation(source, onIssued);
  const isLost = rotate.data?.key === null;
  return (
    <DialogForm
      deed={rotate}
      texts={isLost ? { ...texts, submit: texts.again } : texts}
      onSubmit={() => rotate.mutate({ keyId: row.key_id, name: row.name, grace: Number(grace) })}
      onClose={onClose}
    >
      <Text size="sm">{texts.text}</Text>
      <Select
        label={texts.grace}
        allowDeselect={false}
        data={[...texts.graces]}
        value={grace}
        onChange={(value) => setGrace(value ?? A_DAY)}
      />
      {isLost && <LostSecret title={texts.lost} />}
    </DialogForm>
  );
}
