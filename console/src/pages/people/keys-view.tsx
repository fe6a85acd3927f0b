import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { notify } from '../../api/undo.ts';
import { DeedForm, DialogButton } from '../../components/dialog.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMinute } from '../../format.ts';
import { A_DAY, GRACES } from './key-settings.ts';
import { useKeySource } from './key-source.ts';
import { KeysPanel } from './keys-panel.tsx';

const ROTATE = 'Rotate the signing secrets';

/** The keys that the session may see, and the secrets with which the service signs. */
export function KeysView() {
  const may = useMay();
  const source = useKeySource();
  return (
    <Stack gap="lg">
      <KeysPanel source={source} />
      {may('POST /admin/v1/signing_secrets/rotate') && (
        <Panel
          title="Signing secrets"
          hint="They sign the addresses of files, share links and client tokens."
          aside={
            <DialogButton size="xs" word={ROTATE} title={ROTATE}>
              <SigningForm />
            </DialogButton>
          }
        >
          {null}
        </Panel>
      )}
    </Stack>
  );
}

/** Rotates the secrets that sign URLs, share links and client tokens. */
function SigningForm() {
  const [grace, setGrace] = useState(A_DAY);
  const body = { grace_seconds: Number(grace) };
  return (
    <DeedForm
      act={() => perform('POST /admin/v1/signing_secrets/rotate', { body }, ROTATE)}
      onDone={({ previous_until: until }) =>
        notify(`The signing secrets are rotated. What was signed before works until ${formatMinute(until)}.`)
      }
      submit="Rotate"
      failed="The signing secrets were not rotated"
      isGrave={grace === '0'}
    >
      <Text size="sm">Do this if one may be known to others. Choose how long what was signed before still works.</Text>
      <Select
        label="Earlier addresses, links and tokens work for"
        allowDeselect={false}
        data={GRACES}
        value={grace}
        onChange={(value) => setGrace(value ?? A_DAY)}
      />
    </DeedForm>
  );
}
