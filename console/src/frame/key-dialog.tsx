import { Modal } from '@mantine/core';
import { createStore, useStore } from '../api/store.ts';
import { KeyForm } from '../components/key-form.tsx';
import { frameTexts } from '../texts/frame.ts';

/** Whether the dialog for adding a key is open. */
export const addKeyStore = createStore(false);

export function KeyDialog() {
  const close = () => addKeyStore.set(false);
  return (
    <Modal
      opened={useStore(addKeyStore)}
      onClose={close}
      title={frameTexts.session.add}
      closeButtonProps={{ 'aria-label': frameTexts.close }}
      centered
    >
      <KeyForm onSignedIn={close} />
    </Modal>
  );
}
