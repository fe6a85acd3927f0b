import { Button, CopyButton, Tooltip } from '@mantine/core';
import { IconAdjustments, IconCheck, IconDownload, IconLink, IconMovie, IconPhotoPlus } from '@tabler/icons-react';
import type { CatalogModel, Values } from '../../api/model.ts';
import { downloadUrl } from '../../api/service-url.ts';
import type { Task } from '../../api/types.ts';
import { ShareButton } from '../../components/share-button.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { studioTexts } from '../../texts/studio.ts';
import { AgainButton } from './again-button.tsx';
import { setDraft, setValue, useDraft, valuesOf } from './draft.ts';
import { moverFor, referenceIn, referencePlace } from './references.ts';
import classes from './stage.module.css';
import type { StageProps } from './stage-props.ts';

const texts = studioTexts.result;

/** Buttons of a result: download, order again, use as input. */
export function ResultTools({ task, models, ordering }: StageProps) {
  const draft = useDraft();
  const output = task.outputs[0];
  if (output === undefined) return null;
  const own = models.find(({ model_id: id }) => id === task.model_id);
  const hasSeed = task.action === null && own !== undefined && 'seed' in own.parameters;
  const current = models.find(({ model_id: id }) => id === draft.modelId);
  const place = referencePlace(current, task.type) ?? referencePlace(own, task.type);
  const mover = task.type === 'image' ? moverFor(task, models) : null;
  const useAsReference = () => {
    if (current !== undefined && referencePlace(current, task.type) !== null) addReference(current, draft.values, task);
    else if (own !== undefined) setDraft(own.model_id, { ...valuesOf(task, own), ...referenceIn(own, {}, task) });
  };
  return (
    <div className={classes.tools}>
      <Button component="a" href={downloadUrl(output.url)} download leftSection={<IconDownload size={17} />}>
        {texts.download}
      </Button>
      <CopyButton value={output.content_url}>
        {({ copied, copy }) => (
          <Tooltip label={texts.storeHint}>
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={17} /> : <IconLink size={17} />}
            >
              {copied ? frameTexts.copied : texts.storeAddress}
            </Button>
          </Tooltip>
        )}
      </CopyButton>
      <ShareButton task={task} />
      <AgainButton task={task} ordering={ordering} label={hasSeed ? texts.again : texts.againPlain} anotherSeed />
      {place !== null && (
        <Button variant="default" leftSection={<IconPhotoPlus size={17} />} onClick={useAsReference}>
          {texts.reference}
        </Button>
      )}
      {mover !== null && (
        <Button
          variant="default"
          leftSection={<IconMovie size={17} />}
          onClick={() =>
            setDraft(mover.model_id, { prompt: String(task.input.prompt ?? ''), ...referenceIn(mover, {}, task) })
          }
        >
          {texts.move}
        </Button>
      )}
      {own !== undefined && task.action === null && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconAdjustments size={17} />}
          onClick={() => setDraft(own.model_id, valuesOf(task, own))}
        >
          {texts.reuse}
        </Button>
      )}
    </div>
  );
}

function addReference(model: CatalogModel, values: Values, task: Task): void {
  for (const [name, value] of Object.entries(referenceIn(model, values, task))) setValue(name, value);
}
