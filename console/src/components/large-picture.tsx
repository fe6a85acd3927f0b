import { ActionIcon, Modal, Tooltip } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { useState } from 'react';
import { frameTexts } from '../texts/frame.ts';
import classes from './large-picture.module.css';

/** A button on an image that enlarges it to the window. */
export function LargePicture({ source, alt }: { readonly source: string; readonly alt: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Tooltip label={frameTexts.large}>
        <ActionIcon
          className={classes.button ?? ''}
          variant="filled"
          color="dark"
          size={36}
          aria-label={frameTexts.large}
          onClick={() => setOpen(true)}
        >
          <IconArrowsMaximize size={18} />
        </ActionIcon>
      </Tooltip>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        fullScreen
        radius={0}
        title={alt}
        closeButtonProps={{ 'aria-label': frameTexts.close }}
        classNames={{ body: classes.body ?? '', content: classes.content ?? '', title: classes.title ?? '' }}
      >
        <img className={classes.picture} src={source} alt={alt} />
      </Modal>
    </>
  );
}
