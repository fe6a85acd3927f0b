import { Modal } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { useState } from 'react';
import { SmallButton } from './buttons.ts';
import { IconButton } from './icon-button.tsx';
import classes from './large-picture.module.css';

/** A button on an image that enlarges it to the window. */
export function LargePicture({ source, alt }: { readonly source: string; readonly alt: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        pos="absolute"
        top={10}
        right={10}
        style={{ zIndex: 1 }}
        label="See larger"
        variant="filled"
        color="dark"
        size={36}
        onClick={() => setOpen(true)}
      >
        <IconArrowsMaximize size={18} />
      </IconButton>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        fullScreen
        radius={0}
        title={alt}
        classNames={{ body: classes.body ?? '', content: classes.content ?? '', title: classes.title ?? '' }}
      >
        <ZoomedPicture source={source} alt={alt} />
      </Modal>
    </>
  );
}

/** The picture, fitted to the window or with one of its pixels for each pixel of the screen. */
function ZoomedPicture({ source, alt }: { readonly source: string; readonly alt: string }) {
  const [isActual, setActual] = useState(false);
  const [pixels, setPixels] = useState<number | null>(null);
  const width = isActual && pixels !== null ? pixels / window.devicePixelRatio : undefined;
  return (
    <>
      <SmallButton aria-pressed={isActual} onClick={() => setActual(!isActual)}>
        Actual size
      </SmallButton>
      {/* The arrow keys scroll a picture that is larger than the window. */}
      <section className={classes.frame} aria-label={alt} tabIndex={isActual ? 0 : undefined}>
        <img
          className={isActual ? classes.actual : classes.picture}
          style={{ width }}
          src={source}
          alt={alt}
          onLoad={(event) => setPixels(event.currentTarget.naturalWidth)}
        />
      </section>
    </>
  );
}
