import { Select, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { useDeed } from '../../api/use-deed.ts';
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
  const save = useDeed(
    () =>
      perform('PUT /admin/v1/accounts/{account_id}/provenance', {
        path: { account_id: account.account_id },
        body: { setting: setting === 'default' ? null : setting, prompt },
      }),
    () => onChanged(`The marking of ${account.name} is changed.`),
  );
  return (
    <DialogForm deed={save} texts={texts} onClose={onClose}>
      <Hint>
        Whether the files of its outputs say that a machine made them. A change applies to outputs stored from then on.
      </Hint>
      <Select
        label="Mark"
        allowDeselect={false}
        data={CHOICES}
        value={setting}
        onChange={(value) => setSetting((value ?? 'default') as Setting)}
      />
      <Agreement label="The mark contains the prompt" isOn={prompt} onChange={setPrompt} />
    </DialogForm>
  );
}
