let loading: Promise<boolean> | null = null;

/** Makes film and sound codecs known to mediabunny, once per process. False when the optional package that holds them is not installed. */
export function loadCodecs(): Promise<boolean> {
  loading ??= import('@mediabunny/server').then(
    ({ registerMediabunnyServer }) => {
      registerMediabunnyServer({ hardwareContext: null });
      return true;
    },
    () => false,
  );
  return loading;
}
