import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { formatMany } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import classes from './palette.module.css';
import { type Find, type FindGroup, useFinds } from './use-finds.ts';

const TITLE = 'Search everything';
const SETTLED_MS = 200;

/** A search over the pages, commands, models, accounts, keys and orders that are open to this session. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [settled] = useDebouncedValue(text.trim(), SETTLED_MS);
  const { groups, isPending } = useFinds(text.trim(), settled);
  const finds = groups.flatMap((group) => group.finds);
  const chosen = finds[Math.min(at, finds.length - 1)];
  const list = useId();
  const idOf = (find: Find) => `${list}-${find.id}`;
  const act = (find: Find) => {
    onClose();
    find.act();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || finds.length === 0) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((finds.length + Math.min(at, finds.length - 1) + step) % finds.length);
    else if (event.key === 'Enter' && chosen !== undefined) act(chosen);
    else return;
    event.preventDefault();
  };
  const shown = chosen === undefined ? null : idOf(chosen);
  useEffect(() => {
    if (shown !== null) document.getElementById(shown)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <Dialog
      onClose={onClose}
      title={TITLE}
      withCloseButton={false}
      centered={false}
      yOffset="12dvh"
      size="lg"
      padding={0}
      classNames={{ header: 'visually-hidden' }}
    >
      <TextInput
        data-autofocus
        variant="unstyled"
        size="lg"
        px={16}
        className={classes.field ?? ''}
        role="combobox"
        aria-label={TITLE}
        aria-autocomplete="list"
        aria-expanded={finds.length > 0}
        aria-controls={list}
        aria-activedescendant={shown ?? undefined}
        placeholder="Pages, orders, models, commands"
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        rightSection={<CloseButton aria-label={frameTexts.close} onClick={onClose} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={classes.list} role="listbox" id={list} aria-label={TITLE}>
        {groups.map((group) => (
          <Group key={group.title} group={group} chosen={chosen} idOf={idOf} onChoose={act} />
        ))}
      </div>
      <output className={finds.length > 0 ? 'visually-hidden' : classes.none}>
        {isPending ? 'Searching …' : finds.length === 0 ? 'Nothing found' : formatMany(finds.length, 'result')}
      </output>
    </Dialog>
  );
}

function Group({
  group: { title, icon: Icon, finds },
  chosen,
  idOf,
  onChoose,
}: {
  readonly group: FindGroup;
  readonly chosen: Find | undefined;
  readonly idOf: (find: Find) => string;
  readonly onChoose: (find: Find) => void;
}) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, this groups options of a list
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={classes.title}>
        {title}
      </div>
      {finds.map((find) => (
        <button
          key={find.id}
          id={idOf(find)}
          type="button"
          role="option"
          aria-selected={find.id === chosen?.id}
          tabIndex={-1}
          className={classes.find}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(find)}
        >
          <Icon size={18} stroke={1.6} aria-hidden="true" />
          <span className="truncate">{find.label}</span>
          {find.more !== undefined && <span className={`${classes.more} truncate`}>{find.more}</span>}
        </button>
      ))}
    </div>
  );
}
