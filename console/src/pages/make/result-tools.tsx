import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Button, type ButtonProps, CopyButton, Tooltip } from '@mantine/core';
import { IconAdjustments, IconCheck, IconDownload, IconLink, IconMovie, IconPhotoPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { CatalogModel, Values } from '../../api/model.ts';
import { downloadUrl } from '../../api/service-url.ts';
import { PlainButton } from '../../components/buttons.ts';
import { ShareButton } from '../../components/share-button.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { studioTexts } from '../../texts/studio.ts';
import { AgainButton } from './again-button.tsx';
import { setDraft, setValue, useDraft, valuesOf } from './draft.ts';
import { referenceIn, referencePlace } from './references.ts';
import classes from './stage.module.css';
import type { StageProps } from './stage-props.ts';
import { useMove } from './use-move.ts';

const texts = studioTexts.result;

/** Buttons of a result: download, order again, use as input. */
export function ResultTools({ task, models, ordering }: StageProps) {
  const draft = useDraft();
  // Some tools depend on the models. Nothing moves when these arrive after the result, whichever tools it has.
  const areModelsMissing = models.length === 0;
  const [isPlaceKept] = useState(areModelsMissing);
  const move = useMove(task, models);
  const output = task.outputs[0];
  if (output === undefined) return null;
  const own = models.find(({ model_id: id }) => id === task.model_id);
  const hasSeed =
    task.action === null && (areModelsMissing ? output.seed !== null : own !== undefined && 'seed' in own.parameters);
  const current = models.find(({ model_id: id }) => id === draft.modelId);
  const place = referencePlace(current, task.type) ?? referencePlace(own, task.type);
  const useAsReference = () => {
    if (current !== undefined && referencePlace(current, task.type) !== null) addReference(current, draft.values, task);
    else if (own !== undefined) setDraft(own.model_id, { ...valuesOf(task, own), ...referenceIn(own, {}, task) });
  };
  return (
    <div className={classes.tools}>
      <Button component="a" href={downloadUrl(output.url)} download leftSection={<IconDownload size={17} />}>
        Download
      </Button>
      <CopyButton value={output.content_url}>
        {({ copied, copy }) => (
          <Tooltip label="Valid as long as the file exists; requires your key as a bearer token">
            <PlainButton onClick={copy} leftSection={copied ? <IconCheck size={17} /> : <IconLink size={17} />}>
              {copied ? frameTexts.copied : texts.storeAddress}
            </PlainButton>
          </Tooltip>
        )}
      </CopyButton>
      <ShareButton task={task} />
      <AgainButton task={task} ordering={ordering} label={hasSeed ? 'Again with another seed' : 'Again'} anotherSeed />
      <Tool
        variant="default"
        leftSection={<IconPhotoPlus size={17} />}
        isPlaceKept={isPlaceKept}
        onClick={place === null ? null : useAsReference}
      >
        Use as reference
      </Tool>
      <Tool
        variant="default"
        leftSection={<IconMovie size={17} />}
        isPlaceKept={task.type === 'image' && (isPlaceKept || move === undefined)}
        onClick={move == null ? null : () => setDraft(move.model.model_id, move.values)}
      >
        Make it move
      </Tool>
      <Tool
        variant="subtle"
        color="gray"
        leftSection={<IconAdjustments size={17} />}
        isPlaceKept={isPlaceKept && task.action === null}
        onClick={own === undefined || task.action !== null ? null : () => setDraft(own.model_id, valuesOf(task, own))}
      >
        Use these settings
      </Tool>
    </div>
  );
}

/** A button that not every result has. */
function Tool({
  isPlaceKept,
  onClick,
  ...look
}: Pick<ButtonProps, 'variant' | 'color' | 'leftSection' | 'children'> & {
  /** Whether the place of a missing button stays empty. */
  readonly isPlaceKept: boolean;
  /** Null if the result does not have it. */
  readonly onClick: (() => void) | null;
}) {
  if (onClick !== null) return <Button {...look} onClick={onClick} />;
  return isPlaceKept ? <Button {...look} className={classes.toolPlace ?? ''} aria-hidden="true" tabIndex={-1} /> : null;
}

function addReference(model: CatalogModel, values: Values, task: Task): void {
  for (const [name, value] of Object.entries(referenceIn(model, values, task))) setValue(name, value);
}
