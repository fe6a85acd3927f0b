import { IconMovie, IconMusic, IconWorld } from '@tabler/icons-react';
import { useTask } from '../api/follow-task.ts';
import type { MediaKind } from '../api/model.ts';
import { nearUrl } from '../api/service-url.ts';
import { typeOfTask } from '../api/task-cache.ts';
import { useApi } from '../api/use-api.ts';
import classes from './media-thumb.module.css';

/** A thumbnail of a media reference: a task, an upload, or an external URL. */
export function MediaThumb({ source, kind }: { readonly source: string; readonly kind: MediaKind }) {
  if (source.startsWith('task:')) return <TaskThumb taskId={source.slice('task:'.length)} />;
  if (source.startsWith('upload:')) return <UploadThumb fileId={source.slice('upload:'.length)} kind={kind} />;
  const taskId = /\/v1\/(?:images|videos)\/((?:img|vid)_\w+)/.exec(source)?.[1];
  if (taskId !== undefined) return <TaskThumb taskId={taskId} />;
  if (source.includes('/files/') && kind === 'image')
    return <img className={classes.picture} src={nearUrl(source)} alt="" />;
  return <Elsewhere source={source} kind={kind} />;
}

function TaskThumb({ taskId }: { readonly taskId: string }) {
  const { data } = useTask(taskId);
  const output = data?.outputs[0];
  if (output?.thumbnail_url != null)
    return <img className={classes.picture} src={nearUrl(output.thumbnail_url)} alt="" />;
  return typeOfTask(taskId) === 'video' ? <MediaSymbol kind="video" /> : <span className={classes.blank} />;
}

function UploadThumb({ fileId, kind }: { readonly fileId: string; readonly kind: MediaKind }) {
  const { data } = useApi('GET /v1/files/{file_id}', { path: { file_id: fileId } }, { staleTime: 600_000 });
  if (kind !== 'image') return <MediaSymbol kind={kind} />;
  return data === undefined ? (
    <span className={classes.blank} />
  ) : (
    <img className={classes.picture} src={nearUrl(data.url)} alt="" />
  );
}

/** External files are not loaded into this page: the service downloads them once the order is placed. */
function Elsewhere({ source, kind }: { readonly source: string; readonly kind: MediaKind }) {
  const host = URL.canParse(source) ? new URL(source).host : source;
  return (
    <span className={classes.symbol}>
      {kind === 'image' ? (
        <IconWorld size={20} />
      ) : kind === 'video' ? (
        <IconMovie size={20} />
      ) : (
        <IconMusic size={20} />
      )}
      <span className={classes.host}>{host}</span>
    </span>
  );
}

function MediaSymbol({ kind }: { readonly kind: MediaKind }) {
  return <span className={classes.symbol}>{kind === 'audio' ? <IconMusic size={20} /> : <IconMovie size={20} />}</span>;
}
