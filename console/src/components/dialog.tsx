import { Modal, type ModalProps } from '@mantine/core';
import { frameTexts } from '../texts/frame.ts';

/** An open dialog with a title and a button that closes it. It is centred, unless it is too large for that. */
export function Dialog({
  isCentered = true,
  ...props
}: Pick<ModalProps, 'title' | 'onClose' | 'children' | 'size' | 'fullScreen' | 'radius' | 'classNames'> & {
  readonly isCentered?: boolean;
}) {
  return <Modal {...props} opened centered={isCentered} closeButtonProps={{ 'aria-label': frameTexts.close }} />;
}
