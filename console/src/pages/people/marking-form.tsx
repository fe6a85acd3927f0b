import { Select, Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Agreement } from '../../components/toggle.tsx';
import { Hint } from '../../components/words.ts';
import { keysTexts } from '../../texts/keys.ts';
import type { AccountRow } from './rows.ts';

const texts = keysTexts.marking;
const CHOICES = Object.entries(texts.settings).map(([value, label]) => ({ value, label }));
type Setting = keyof typeof texts.settings;
type Marking = DataOf<'GET /admin/v1/accounts/{account_id}/provenance'>;
interface Props {
  readonly account: AccountRow;
  readonly onClose: () => void;
  readonly onChanged: (notice: string) => void;
}

/** How the outputs of an account are marked as made by a machine. */
export function MarkingForm(props: Props) {
  const path = { account_id: props.account.account_id };
  const marking = useApi('GET /admin/v1/accounts/{account_id}/provenance', { path }, { staleTime: 0 });
  if (marking.error !== null) return <ErrorNote error={marking.error} onRetry={() => void marking.refetch()} />;
  if (!marking.isFetchedAfterMount || marking.data === undefined) return <Skeleton h={180} aria-hidden="true" />;
  return <Fields {...props} marking={marking.data} />;
}

function Fields({ account, marking, onClose, onChanged }: Props & { readonly marking: Marking }) {
  const [setting, setSetting] = useState<Setting>(marking.setting ?? 'default');
  const [prompt, setPrompt] = useState(marking.prompt);
  const save = useMutation({
    mutationFn: () =>
      perform('PUT /admin/v1/accounts/{account_id}/provenance', {
        path: { account_id: account.account_id },
        body: { setting: setting === 'default' ? null : setting, prompt },
      }),
    onSuccess: async () => {
      await refresh('GET /admin/v1/accounts/{account_id}/provenance', 'GET /admin/v1/audit');
      onChanged(texts.done(account.name));
    },
  });
  return (
    <DialogForm deed={save} texts={texts} onSubmit={() => save.mutate()} onClose={onClose}>
      <Hint>{texts.text}</Hint>
      <Select
        label={texts.setting}
        allowDeselect={false}
        data={CHOICES}
        value={setting}
        onChange={(value) => setSetting((value ?? 'default') as Setting)}
      />
      <Agreement label={texts.prompt} isOn={prompt} onChange={setPrompt} />
    </DialogForm>
  );
}
