import { FileButton } from '@mantine/core';
import { IconPhotoSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, faultText } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { isTask } from '../../../components/dragged.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { Fault } from '../../../components/words.ts';

/** Opens the order that made a file, which is chosen or dropped anywhere on the page. The file stays in the browser. */
export function FindByFile() {
  const [, navigate] = useLocation();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly fault: string | null }>(REST);
  const resetInput = useRef<() => void>(null);
  const find = async (file: File | null) => {
    if (file === null) return;
    setState({ isBusy: true, fault: null });
    const found = await findTask(file);
    // Otherwise choosing the same file again would do nothing.
    resetInput.current?.();
    setState({ isBusy: false, fault: 'fault' in found ? found.fault : null });
    if ('taskId' in found) navigate(`/history/${found.taskId}`);
  };
  const dragOver = useEffectEvent((event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') === true && !isTask(event)) event.preventDefault();
  });
  const drop = useEffectEvent((event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (file === undefined || event.defaultPrevented || isTask(event)) return;
    event.preventDefault();
    void find(file);
  });
  useEffect(() => {
    document.addEventListener('dragover', dragOver);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', dragOver);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return (
    <>
      <FileButton resetRef={resetInput} accept="image/*,video/*" onChange={(file) => void find(file)}>
        {(props) => (
          <IconButton
            {...props}
            label="Find by file: choose a downloaded one, or drop it on the page"
            variant="default"
            loading={state.isBusy}
          >
            <IconPhotoSearch size={18} stroke={1.6} />
          </IconButton>
        )}
      </FileButton>
      {state.fault !== null && <Fault>{state.fault}</Fault>}
    </>
  );
}

const REST = { isBusy: false, fault: null };

async function findTask(file: File): Promise<{ readonly taskId: string } | { readonly fault: string }> {
  // Browsers hash only on pages that came over HTTPS or from this machine.
  if (globalThis.crypto.subtle === undefined)
    return { fault: 'Browsers hash files only over HTTPS. Open the console with https://.' };
  try {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const { task_id: taskId } = await call('GET /v1/provenance', { query: { sha256 } });
    return taskId === null ? { fault: 'This service made the file, but not for this key.' } : { taskId };
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 'not_found';
    return {
      fault: isUnknown
        ? `No order of this key made ${file.name}, or it was erased since.`
        : faultText('Could not ask for the file', error),
    };
  }
}
