import type { S3ClientOptions } from '@darkroom-service/files';
import { QUOTED } from './environment.ts';
import type { VariableFault } from './variable-types.ts';

const NAMES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'];

/** Finds values with a stray quote, which the storage would refuse with every request. */
export function faultsOfS3Keys(environment: Readonly<Record<string, string | undefined>>): VariableFault[] {
  return NAMES.filter((name) => QUOTED.test(environment[name] ?? '')).map((variable) => ({
    variable,
    message: 'expected a text without quotes around it',
  }));
}

/** Reads the variables that AWS users set. Without keys the SDK uses its default sources: profiles, roles. */
export function s3OptionsOf(environment: Readonly<Record<string, string | undefined>>): S3ClientOptions {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = environment;
  return {
    ...(AWS_REGION ? { region: AWS_REGION } : {}),
    ...(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
      ? {
          credentials: {
            accessKeyId: AWS_ACCESS_KEY_ID,
            secretAccessKey: AWS_SECRET_ACCESS_KEY,
            ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
          },
        }
      : {}),
  };
}
