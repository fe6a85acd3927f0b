import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh } from '../../api/use-api.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Hint } from '../../components/words.ts';
import { teamTexts } from '../../texts/team.ts';
import { type Windows as Amounts, limitsOf } from './key-draft.ts';
import { Windows } from './key-fields.tsx';

const texts = teamTexts.limits;

/** Sets what a member may spend with live orders. */
export function MemberLimitsForm({
  member,
  onClose,
}: {
  readonly member: DataOf<'GET /v1/account/members'>['items'][number];
  readonly onClose: () => void;
}) {
  const { day, month, total } = member.limits;
  const [limits, setLimits] = useState<Amounts>({ day: day ?? '', month: month ?? '', total: total ?? '' });
  const save = useMutation({
    mutationFn: () =>
      perform('PATCH /v1/account/members/{person_id}', {
        path: { person_id: member.person_id },
        body: { limits: limitsOf(limits) },
      }),
    onSuccess: async () => {
      await refresh('GET /v1/account/members');
      onClose();
    },
  });
  return (
    <DialogForm deed={save} texts={texts} onSubmit={() => save.mutate()} onClose={onClose}>
      <Hint>{texts.text}</Hint>
      <Windows legend={texts.legend} value={limits} onChange={setLimits} />
    </DialogForm>
  );
}
