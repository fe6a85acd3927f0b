import { Center, Loader } from '@mantine/core';
import { useEffect } from 'react';
import { createStore } from '../api/store.ts';
import { frameTexts } from '../texts/frame.ts';

/** Whether a page is loading. The elements around it wait, so that the page itself comes first. */
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
