import { Button, Popover, Stack, TagsInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { FAVOURITE, REJECTED } from '../../api/marks.ts';
import { changeBetween, type TagChange, type Tags } from '../../api/task-tags.ts';
import { useApi } from '../../api/use-api.ts';
import { BarButton } from './bar-button.tsx';

/** Besides the star and the rejection, which are tags too. */
const MOST_TAGS = 18;
const LONGEST_TAG = 40;
const SUGGESTED = 100;

/** Adds tags to all that are selected, and removes tags from all of them. */
export function TagSelection({
  tags,
  isBusy = false,
  onChange,
}: {
  /** Those that any of them has, without the star and the rejection. */
  readonly tags: Tags;
  readonly isBusy?: boolean;
  readonly onChange: (change: TagChange) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={300} position="top" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <BarButton
          label="Tags"
          icon={<IconTag size={16} aria-hidden="true" />}
          loading={isBusy}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <TagForm
          tags={tags}
          onChange={(change) => {
            setOpen(false);
            if (change.add.length + change.remove.length > 0) onChange(change);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function TagForm({ tags, onChange }: { readonly tags: Tags; readonly onChange: (change: TagChange) => void }) {
  const { data } = useApi('GET /v1/tags', { query: { limit: SUGGESTED } });
  const [wanted, setWanted] = useState(tags);
  const known = (data?.items ?? []).map(({ tag }) => tag).filter((tag) => tag !== FAVOURITE && tag !== REJECTED);
  return (
    <Stack gap="sm">
      <TagsInput
        label="Tags of the selected orders"
        description="A tag that you add is added to all of them; one that you remove is removed from all."
        placeholder="A tag, then Enter"
        data={known}
        value={[...wanted]}
        onChange={setWanted}
        acceptValueOnBlur
        maxTags={Math.max(MOST_TAGS, tags.length)}
        maxLength={LONGEST_TAG}
        // Not over the button below.
        comboboxProps={{ withinPortal: false, position: 'top' }}
        data-autofocus
      />
      <Button size="sm" onClick={() => onChange(changeBetween(tags, wanted))}>
        Change the tags
      </Button>
    </Stack>
  );
}
