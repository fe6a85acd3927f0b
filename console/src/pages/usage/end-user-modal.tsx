import { Button, Group, Modal, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { EndUser } from '../../api/types.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { endUserTexts } from '../../texts/end-users.ts';

const texts = endUserTexts.edit;
const WINDOWS = ['day', 'month', 'total'] as const;
type WindowName = (typeof WINDOWS)[number];
type Choice = keyof typeof texts.choices;
interface Limit {
  readonly choice: Choice;
  readonly amount: number | string;
}

/** Sets the limits of an end user, or gives it those of the key again. */
export function EndUserModal({
  asked,
  onClose,
  onChanged,
}: {
  /** `new`: the name is asked for as well. */
  readonly asked: EndUser | 'new' | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const user = asked === 'new' ? null : asked;
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={texts.title(user?.end_user ?? '')}
      closeButtonProps={{ 'aria-label': endUserTexts.close }}
      centered
    >
      {asked !== null && <LimitsForm user={user} onClose={onClose} onChanged={onChanged} />}
    </Modal>
  );
}

function LimitsForm({
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const error = save.error ?? reset.error;
  const isMissing =
    name === '' || WINDOWS.some((window) => limits[window].choice === 'own' && limits[window].amount === '');
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.text}
        </Text>
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
          <div key={window}>
            <Text size="sm" fw={500} mb={4}>
              {endUserTexts.heads[window]}
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={endUserTexts.heads[window]}
              value={limits[window].choice}
              onChange={(choice) => setLimits({ ...limits, [window]: { ...limits[window], choice: choice as Choice } })}
              data={Object.entries(texts.choices).map(([value, label]) => ({ value, label }))}
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
          </div>
        ))}
        {error !== null && <ErrorNote title={texts.failed} error={error} />}
        <Group justify="flex-end">
          {user !== null && Object.keys(user.limits).length > 0 && (
            <Button variant="subtle" color="gray" mr="auto" loading={reset.isPending} onClick={() => reset.mutate()}>
              {endUserTexts.reset}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {endUserTexts.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={isMissing}>
            {texts.submit}
          </Button>
        </Group>
      </Stack>
    </form>
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
