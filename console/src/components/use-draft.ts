import { type ChangeEvent, useState } from 'react';

/**
 * Holds the input of a form until it is sent: `<TextInput {...field('name')} />` shows one part of it and changes it,
 * whether the control passes an event or its value.
 */
export function useDraft<Draft extends object>(initial: Draft | (() => Draft)) {
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const field = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    onChange: (told: unknown) => change({ [name]: isEvent(told) ? told.currentTarget.value : told } as Partial<Draft>),
  });
  return { draft, change, field };
}

function isEvent(told: unknown): told is ChangeEvent<HTMLInputElement> {
  return typeof told === 'object' && told !== null && 'currentTarget' in told;
}
