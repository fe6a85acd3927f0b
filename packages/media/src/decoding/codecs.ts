let loading: Promise<boolean> | null = null;

/**
 * Registers video and sound codecs with mediabunny, once per process. Returns false if the optional package that
 * contains them is not there, which is looked up again by the next call: program files may be away for a while.
 */
export function loadCodecs(): Promise<boolean> {
  loading ??= import('@mediabunny/server').then(
    ({ registerMediabunnyServer }) => {
      registerMediabunnyServer({ hardwareContext: null });
      return true;
    },
    () => {
      loading = null;
      return false;
    },
  );
  return loading;
}
