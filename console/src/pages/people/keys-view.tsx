import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { useDeed } from '../../api/use-deed.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMinute } from '../../format.ts';
import { keysTexts } from '../../texts/keys.ts';
import { useKeySource } from './key-source.ts';
import { KeysPanel } from './keys-panel.tsx';
import { WithNotice } from './with-notice.tsx';

/** The keys that the session may see, and the secrets by which the service signs. */
export function KeysView() {
  const may = useMay();
  const source = useKeySource();
  return (
    <WithNotice>
      {(tell) => (
        <>
          <KeysPanel source={source} onNotice={tell} />
          {may('POST /admin/v1/signing_secrets/rotate') && <SigningSecrets onNotice={tell} />}
        </>
      )}
    </WithNotice>
  );
}

const texts = keysTexts.signing;
const A_DAY = '86400';

/** The secrets that sign addresses, share links and client tokens, and their rotation. */
function SigningSecrets({ onNotice }: { readonly onNotice: (text: string) => void }) {
  const [asked, setAsked] = useState<true | null>(null);
  const close = () => setAsked(null);
  return (
    <Panel
      title="Signing secrets"
      hint="They sign the addresses of files, share links and client tokens."
      aside={<SmallButton onClick={() => setAsked(true)}>Rotate the signing secrets</SmallButton>}
    >
      <DialogAbout about={asked} title={() => texts.title} onClose={close}>
        {() => (
          <Rotation
            onClose={close}
            onRotated={(until) => {
              close();
              onNotice(`The signing secrets are rotated. What was signed before works until ${formatMinute(until)}.`);
            }}
          />
        )}
      </DialogAbout>
    </Panel>
  );
}

function Rotation({
  onClose,
  onRotated,
}: {
  readonly onClose: () => void;
  readonly onRotated: (until: string) => void;
}) {
  const [grace, setGrace] = useState(A_DAY);
  const rotate = useDeed(
    () => perform('POST /admin/v1/signing_secrets/rotate', { body: { grace_seconds: Number(grace) } }, texts.title),
    ({ previous_until: until }) => onRotated(until),
  );
  return (
    <DialogForm deed={rotate} texts={texts} isGrave={grace === '0'} onClose={onClose}>
      <Text size="sm">Do this if one may be known to others. Choose how long what was signed before still works.</Text>
      <Select
        label="Earlier addresses, links and tokens work for"
        allowDeselect={false}
        data={[...keysTexts.rotation.graces]}
        value={grace}
        onChange={(value) => setGrace(value ?? A_DAY)}
      />
    </DialogForm>
  );
}
