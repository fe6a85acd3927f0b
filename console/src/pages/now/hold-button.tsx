import { Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { queryClient, refresh } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Segments } from '../../components/segments.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import type { Hold } from './read-checks.ts';

const texts = operationsTexts.hold;

const onSuccess = async () => {
  await queryClient.invalidateQueries({ queryKey: ['GET /readyz'] });
  await refresh('GET /admin/v1/tasks', 'GET /admin/v1/alerts', 'GET /admin/v1/audit');
};

/** Holds the service, so that it sends no order and no webhook, or ends that. */
export function HoldButton({ hold }: { /** Undefined = not known. */ readonly hold: Hold | null | undefined }) {
  const [asked, setAsked] = useState<Hold | 'hold' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      {hold == null ? (
        <SmallButton disabled={hold === undefined} onClick={() => setAsked('hold')}>
          {texts.hold}
        </SmallButton>
      ) : (
        <Button size="xs" onClick={() => setAsked(hold)}>
          {texts.release}
        </Button>
      )}
      <DialogAbout
        about={asked}
        title={(about) => (about === 'hold' ? texts.holdTitle : texts.releaseTitle)}
        onClose={close}
      >
        {(about) => (about === 'hold' ? <HoldForm onClose={close} /> : <ReleaseForm hold={about} onClose={close} />)}
      </DialogAbout>
    </>
  );
}

function HoldForm({ onClose }: { readonly onClose: () => void }) {
  const [message, setMessage] = useState('');
  const told = message.trim();
  const deed = useMutation({
    mutationFn: () => perform('POST /admin/v1/hold', { body: told === '' ? {} : { message: told } }, texts.hold),
    onSuccess,
  });
  return (
    <DialogForm
      deed={deed}
      texts={{ submit: texts.hold, failed: texts.notHeld }}
      onSubmit={() => deed.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">{texts.holdText}</Text>
      <TextInput
        label={texts.message}
        description={texts.messageHint}
        maxLength={500}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}

function ReleaseForm({ hold: { is_copy: isCopy }, onClose }: { readonly hold: Hold; readonly onClose: () => void }) {
  const [as, setAs] = useState<keyof typeof texts.as.words>('successor');
  const query = isCopy === true ? { as } : {};
  const deed = useMutation({ mutationFn: () => perform('DELETE /admin/v1/hold', { query }), onSuccess });
  return (
    <DialogForm
      deed={deed}
      texts={{ submit: texts.release, failed: texts.notReleased }}
      onSubmit={() => deed.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">{isCopy === true ? texts.copyText : texts.releaseText}</Text>
      {isCopy === true && <Segments label={texts.as.label} words={texts.as.words} value={as} onChange={setAs} />}
    </DialogForm>
  );
}
