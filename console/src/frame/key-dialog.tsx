import { Modal } from '@mantine/core';
import { useStore } from '../api/store.ts';
import { KeyForm } from '../components/key-form.tsx';
import { frameTexts } from '../texts/frame.ts';
import { addKeyStore } from './add-key.ts';

export function KeyDialog() {
  const close = () => addKeyStore.set(false);
  return (
    <Modal opened={useStore(addKeyStore)} onClose={close} title={frameTexts.session.add}>
      <KeyForm onSignedIn={close} />
    </Modal>
  );
}
