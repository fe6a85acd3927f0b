import type { JsonValue } from '@darkroom-service/contract';
import { ActionIcon, Button, FileButton, Group, Loader, Menu, Popover, TextInput, VisuallyHidden } from '@mantine/core';
import { IconBrush, IconLink, IconPhotoPlus, IconPlus, IconUpload, IconX } from '@tabler/icons-react';
import { type DragEvent, type FormEvent, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { faultText } from '../../api/api-error.ts';
import { uploadFile } from '../../api/deeds.ts';
import type { MediaParameter } from '../../api/model.ts';
import { formatMany } from '../../format.ts';
import { studioTexts } from '../../texts/studio.ts';
import { fieldLabel } from '../../texts/studio-labels.ts';
import { type Dropped, droppedReference, isTask } from '../dragged.ts';
import { lazyPart } from '../lazy-part.ts';
import { MediaThumb } from '../media-thumb.tsx';
import { FieldFrame } from './field-frame.tsx';
import classes from './media-field.module.css';

const HistoryPicker = lazyPart(async () => (await import('./history-picker.tsx')).HistoryPicker);
const ACCEPTS = { image: 'images', video: 'videos', audio: 'audio' };

/**
 * Images, videos or audio for one parameter: dropped, pasted, uploaded, chosen from the history, or entered as a URL.
 */
export function MediaField({
  name,
  media,
  description,
  value,
  onChange,
  fault,
  onPaintMask,
  catchesPaste = false,
}: {
  readonly name: string;
  readonly media: MediaParameter;
  readonly description?: string | undefined;
  readonly value: JsonValue;
  readonly onChange: (value: JsonValue) => void;
  readonly fault?: string | undefined;
  /** Offers to paint a mask, if there is an image to paint on. */
  readonly onPaintMask?: (() => void) | undefined;
  /** Accepts media pasted anywhere on the page. */
  readonly catchesPaste?: boolean;
}) {
  const [uploading, setUploading] = useState(0);
  const [addFault, setAddFault] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const [picking, setPicking] = useState(false);
  const [naming, setNaming] = useState(false);
  const label = fieldLabel(name);
  const sources = sourcesOf(value);
  const hasRoom = media.list ? sources.length < media.most : sources.length === 0;

  const add = (found: readonly string[]) => {
    setAddFault(null);
    if (media.list) onChange([...sources, ...found].slice(0, media.most));
    else if (found[0] !== undefined) onChange(found[0]);
  };
  const remove = (position: number) => {
    const left = sources.filter((_, index) => index !== position);
    onChange(media.list && left.length > 0 ? left : null);
  };
  const upload = async (files: readonly File[]) => {
    const fitting = files.filter((file) => file.type.startsWith(`${media.kind}/`));
    const wanted = fitting.slice(0, media.list ? media.most - sources.length : 1);
    const other = files.find((file) => !fitting.includes(file));
    const surplus = fitting[wanted.length];
    const left =
      other !== undefined
        ? otherKind(other.name, media.kind)
        : surplus === undefined
          ? null
          : noMore(surplus.name, media.most);
    setAddFault(left);
    if (wanted.length === 0) return;
    setUploading(wanted.length);
    try {
      const made = await Promise.all(wanted.map((file) => uploadFile(file)));
      add(made.map(({ file_id: id }) => `upload:${id}`));
      setAddFault(left);
    } catch (error) {
      setAddFault(faultText('The file could not be uploaded', error));
    } finally {
      setUploading(0);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    // A dragged tile carries a task and, in some browsers, its thumbnail as a file.
    if (files.length > 0 && !isTask(event)) return void upload(files);
    const dropped = droppedReference(event, media.kind);
    if ('fault' in dropped) return setAddFault(faultOfDropped(dropped.fault, media.kind));
    if (media.list && !hasRoom) return setAddFault(noMore('The reference', media.most));
    add([dropped.source]);
  };
  const paste = (event: { readonly clipboardData: DataTransfer | null; preventDefault(): void }) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void upload(files);
  };
  const pasteAnywhere = useEffectEvent((event: ClipboardEvent) => {
    const isElsewhere = event.defaultPrevented || document.querySelector('[role="dialog"]') !== null;
    if (!isElsewhere && hasRoom) paste(event);
  });
  useEffect(() => {
    if (!catchesPaste) return;
    document.addEventListener('paste', pasteAnywhere);
    return () => document.removeEventListener('paste', pasteAnywhere);
  }, [catchesPaste]);

  return (
    <FieldFrame label={label} description={description} fault={fault ?? addFault ?? undefined}>
      <fieldset
        className={classes.tray}
        aria-label={label}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onPaste={paste}
      >
        {sources.map((source, position) => (
          <div key={source} className={classes.item}>
            <MediaThumb source={source} kind={media.kind} />
            <ActionIcon
              pos="absolute"
              top={4}
              right={4}
              size={22}
              radius="xl"
              variant="filled"
              color="dark"
              onClick={() => remove(position)}
              aria-label={`Remove ${label} ${position + 1}`}
            >
              <IconX size={13} />
            </ActionIcon>
          </div>
        ))}
        {uploading > 0 && (
          <div className={classes.item} role="status" aria-label="Uploading">
            <Loader size="sm" m="auto" />
          </div>
        )}
        {hasRoom && uploading === 0 && (
          <FileButton
            onChange={(files) => void upload([files].flat().filter((file) => file !== null))}
            accept={`${media.kind}/*`}
            multiple={media.list}
          >
            {({ onClick: chooseFile }) => (
              <Menu position="bottom-start">
                <Menu.Target>
                  <button type="button" className={classes.add}>
                    <VisuallyHidden>Add: {label}. </VisuallyHidden>
                    <IconPlus size={18} stroke={1.6} />
                    <span>
                      {over
                        ? 'Drop here'
                        : sources.length === 0 && media.list && media.most > 1 && media.kind === 'image'
                          ? 'Drop, paste or choose'
                          : 'Add'}
                    </span>
                  </button>
                </Menu.Target>
                <Menu.Dropdown>
                  {onPaintMask !== undefined && (
                    <Menu.Item leftSection={<IconBrush size={16} />} onClick={onPaintMask}>
                      Paint a mask
                    </Menu.Item>
                  )}
                  <Menu.Item leftSection={<IconUpload size={16} />} onClick={chooseFile}>
                    Upload a file
                  </Menu.Item>
                  {media.kind !== 'audio' && (
                    <Menu.Item leftSection={<IconPhotoPlus size={16} />} onClick={() => setPicking(true)}>
                      {`From your ${media.kind}s`}
                    </Menu.Item>
                  )}
                  <Menu.Item leftSection={<IconLink size={16} />} onClick={() => setNaming(true)}>
                    From a URL
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </FileButton>
        )}
        <AddressPopover opened={naming} onClose={() => setNaming(false)} onNamed={(address) => add([address])} />
      </fieldset>
      {picking && media.kind !== 'audio' && (
        <Suspense>
          <HistoryPicker
            kind={media.kind}
            onClose={() => setPicking(false)}
            onPicked={(taskId) => add([`task:${taskId}`])}
          />
        </Suspense>
      )}
    </FieldFrame>
  );
}

function noMore(name: string, most: number): string {
  return `${name} was not added: this field accepts ${formatMany(most, 'file')}.`;
}

function faultOfDropped(fault: Extract<Dropped, { fault: string }>['fault'], kind: MediaParameter['kind']): string {
  if (fault === 'consolePage') return 'This link leads to a page of the console, not to a file.';
  if (fault === 'nothing') return 'This is neither a file nor a link to one.';
  return otherKind(kind === 'image' ? 'The video' : 'The image', kind);
}

function otherKind(name: string, kind: MediaParameter['kind']): string {
  return `${name} was not added: this field accepts ${ACCEPTS[kind]}.`;
}

function AddressPopover({
  opened,
  onClose,
  onNamed,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onNamed: (address: string) => void;
}) {
  const [address, setAddress] = useState('');
  const [fault, setFault] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!/^https?:\/\/\S+$/.test(address.trim())) return setFault(true);
    onNamed(address.trim());
    setAddress('');
    setFault(false);
    onClose();
  };
  return (
    <Popover
      opened={opened}
      onChange={(open) => open || onClose()}
      width={300}
      trapFocus
      position="bottom-start"
      withRoles={false}
    >
      <Popover.Target>
        <span className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <TextInput
            label="URL of the file"
            description="The service downloads it when you create the order; https:// or http://"
            placeholder="https://"
            value={address}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
            error={fault ? studioTexts.urlFault : undefined}
            data-autofocus
          />
          <Group justify="flex-end" mt="sm">
            <Button type="submit" size="xs">
              Add
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

export function sourcesOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((source) => typeof source === 'string') : [];
}
