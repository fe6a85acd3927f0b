import type { EndUserView as EndUser } from '@darkroom-service/contract/end-user';
import { Button, Input, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Segments } from '../../components/segments.tsx';
import { Hint } from '../../components/words.ts';
import { endUserTexts } from '../../texts/end-users.ts';

const texts = endUserTexts.edit;
const WINDOWS = ['day', 'month', 'total'] as const;
type WindowName = (typeof WINDOWS)[number];
type Choice = keyof typeof texts.choices;
interface Limit {
  readonly choice: Choice;
  readonly amount: number | string;
}

/** Sets the limits of an end user, or gives it those of the key again. Asks for the name of a new one. */
export function EndUserForm({
  user,
  onClose,
  onChanged,
}: {
  readonly user: EndUser | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const [name, setName] = useState(user?.end_user ?? '');
  const [limits, setLimits] = useState<Readonly<Record<WindowName, Limit>>>({
    day: limitOf(user, 'day'),
    month: limitOf(user, 'month'),
    total: limitOf(user, 'total'),
  });
  const path = { end_user: name };
  const save = useMutation({
    mutationFn: () => perform('PUT /v1/end_users/{end_user}', { path, body: { limits: bodyOf(limits) } }),
    onSuccess: onChanged,
  });
  const reset = useMutation({
    mutationFn: () => perform('DELETE /v1/end_users/{end_user}', { path }),
    onSuccess: onChanged,
  });
  const isMissing =
    name === '' || WINDOWS.some((window) => limits[window].choice === 'own' && limits[window].amount === '');
  return (
    <DialogForm
      deed={{ error: save.error ?? reset.error, isPending: save.isPending }}
      texts={texts}
      isReady={!isMissing}
      aside={
        user !== null &&
        Object.keys(user.limits).length > 0 && (
          <Button variant="subtle" color="gray" mr="auto" loading={reset.isPending} onClick={() => reset.mutate()}>
            Use the limits of the key
          </Button>
        )
      }
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Hint>{texts.text}</Hint>
      {user === null && (
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          maxLength={128}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {WINDOWS.map((window) => (
        <Input.Wrapper key={window} label={endUserTexts.heads[window]} labelElement="div">
          <Segments
            label={endUserTexts.heads[window]}
            words={texts.choices}
            fullWidth
            value={limits[window].choice}
            onChange={(choice) => setLimits({ ...limits, [window]: { ...limits[window], choice } })}
          />
          {limits[window].choice === 'own' && (
            <NumberInput
              mt={8}
              aria-label={texts.amount(texts.windows[window])}
              prefix="$"
              min={0}
              decimalScale={6}
              hideControls
              value={limits[window].amount}
              onChange={(amount) => setLimits({ ...limits, [window]: { choice: 'own', amount } })}
            />
          )}
        </Input.Wrapper>
      ))}
    </DialogForm>
  );
}

function limitOf(user: EndUser | null, window: WindowName): Limit {
  const own = user?.limits[window];
  if (own === undefined) return { choice: 'key', amount: '' };
  return own === null ? { choice: 'none', amount: '' } : { choice: 'own', amount: own };
}

function bodyOf(limits: Readonly<Record<WindowName, Limit>>) {
  return Object.fromEntries(
    WINDOWS.filter((window) => limits[window].choice !== 'key').map((window) => {
      const { choice, amount } = limits[window];
      return [window, choice === 'none' ? null : String(amount)];
    }),
  );
}
