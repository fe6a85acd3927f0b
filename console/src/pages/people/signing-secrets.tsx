import { Select, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMinute } from '../../format.ts';
import { keysTexts } from '../../texts/keys.ts';

const texts = keysTexts.signing;
const A_DAY = '86400';

/** The secrets that sign addresses, share links and client tokens, and their rotation. */
export function SigningSecrets({ onNotice }: { readonly onNotice: (text: string) => void }) {
  const [asked, setAsked] = useState<true | null>(null);
  const close = () => setAsked(null);
  return (
    <Panel
      title={texts.panel}
      hint={texts.hint}
      aside={<SmallButton onClick={() => setAsked(true)}>{texts.rotate}</SmallButton>}
    >
      <DialogAbout about={asked} title={() => texts.title} onClose={close}>
        {() => (
          <Rotation
            onClose={close}
            onRotated={(until) => {
              close();
              onNotice(texts.done(formatMinute(until)));
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
  const rotate = useMutation({
    mutationFn: () =>
      perform('POST /admin/v1/signing_secrets/rotate', { body: { grace_seconds: Number(grace) } }, texts.title),
    onSuccess: async ({ previous_until: until }) => {
      await refresh('GET /admin/v1/audit');
      onRotated(until);
    },
  });
  return (
    <DialogForm deed={rotate} texts={texts} isGrave={grace === '0'} onSubmit={() => rotate.mutate()} onClose={onClose}>
      <Text size="sm">{texts.text}</Text>
      <Select
        label={texts.grace}
        allowDeselect={false}
        data={[...keysTexts.rotation.graces]}
        value={grace}
        onChange={(value) => setGrace(value ?? A_DAY)}
      />
    </DialogForm>
  );
}
