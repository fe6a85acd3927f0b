let loading: Promise<boolean> | null = null;

/**
 * Registers video and sound codecs with mediabunny, once per process. Returns false if the optional package that
 * contains them is not installed.
 */
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
