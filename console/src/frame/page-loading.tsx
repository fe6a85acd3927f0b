import { Center, Loader } from '@mantine/core';
import { useEffect } from 'react';
import { createStore } from '../api/store.ts';
import { frameTexts } from '../texts/frame.ts';

/** Whether a page is being loaded. What stands around it waits, so that the page itself is there first. */
export const pageLoadingStore = createStore(false);

export function PageLoading() {
  useEffect(() => {
    pageLoadingStore.set(true);
    return () => pageLoadingStore.set(false);
  }, []);
  return (
    <Center mih="60dvh">
      <Loader type="dots" role="status" aria-label={frameTexts.loading} />
    </Center>
  );
}
