import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Agreement } from '../../components/toggle.tsx';
import { privacyTexts } from '../../texts/privacy.ts';
import { bodyOf, NOBODY, SubjectFields } from './subject-fields.tsx';

const texts = privacyTexts.erasures;

/** Erases what is stored of an account or an end user, once the account's id is typed. */
export function ErasureForm({ onClose }: { readonly onClose: () => void }) {
  const [subject, setSubject] = useState(NOBODY);
  const [uploads, setUploads] = useState(false);
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () => {
      const body = { ...bodyOf(subject), ...(uploads ? { uploads } : {}) };
      return perform('POST /admin/v1/erasures', { body }, texts.ask);
    },
    onSuccess: async () => {
      await refresh('GET /admin/v1/erasures', 'GET /admin/v1/keys', 'GET /admin/v1/audit');
      onClose();
    },
  });
  const { account, endUser } = subject;
  return (
    <DialogForm
      deed={erase}
      texts={texts}
      isGrave
      isReady={account !== null && typed === account}
      onSubmit={() => erase.mutate()}
      onClose={onClose}
    >
      <SubjectFields subject={subject} onChange={setSubject} />
      <Text size="sm">{endUser === '' ? texts.textOfAccount : texts.textOfEndUser}</Text>
      {endUser !== '' && <Agreement label={texts.uploads} isOn={uploads} onChange={setUploads} />}
      {account !== null && (
        <TextInput
          label={texts.confirm(account)}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value.trim())}
        />
      )}
    </DialogForm>
  );
}
