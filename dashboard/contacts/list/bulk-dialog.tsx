import type { ContactJob } from '@groundwork/api'
import { Alert, Button, Group, Loader, Modal, Progress, Stack, TagsInput, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { isSignedOut, messageOf, ShownError } from '../../lib/errors.ts'
import { fieldErrors } from '../../lib/field-errors.ts'
import { whileLeaving } from '../../lib/session.ts'
import { useWorkspace, type Workspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { messagesOf, useMessages } from '../../messages/messages.ts'
import { useDiscard, useForm, type Form } from '../../shell/form.ts'
import { notifyError, notifySuccess, notifyUndoable } from '../../shell/notify.tsx'
import { ConsentInputs } from '../consent-inputs.tsx'
import { allKey, filteredKey } from '../keys.ts'
import { JobFailed, revertBulk, runBulk, type Change, type Chosen } from './bulk.ts'
import { shownError } from './errors.ts'
import { listMessages } from './messages.ts'
import { SetField } from './set-field.tsx'
import { changeOf, nothingWanted, type Action, type Wanted } from './wanted.ts'

interface BulkDialogProps {
  action: Action
  chosen: Chosen
  /** Suggested tags. */
  tags: string[]
  onClose: () => void
  /** Called when the contacts are changed. */
  onDone: () => void
}

/** The steps: the value is asked for, a dry run counts, the counts are shown, and the job runs. */
type Step =
  | { at: 'value'; error?: string }
  | { at: 'counting' }
  | { at: 'counted'; counted: ContactJob; error?: string }
  | { at: 'running'; done: number; total: number }

/** Changes the chosen contacts. A dry run counts first, so that the confirmation has the numbers of the change. */
export function BulkDialog({ action, chosen, tags, onClose, onDone }: BulkDialogProps) {
  const messages = useMessages(listMessages)
  const { close } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const form = useForm(nothingWanted(action), action)
  const { close: discard, isAsking } = useDiscard(form, onClose)
  const change = changeOf(action, form.values)
  const [step, setStep] = useState<Step>({ at: action === 'delete' ? 'counting' : 'value' })
  const count = async (wanted: Change): Promise<void> => {
    setStep({ at: 'counting' })
    try {
      setStep({ at: 'counted', counted: await runBulk(workspace, { ...chosen, ...wanted, dryRun: true }) })
    } catch (error) {
      if (isSignedOut(error)) return whileLeaving()
      setStep({ at: 'value', error: failureOf(error) })
    }
  }
  const apply = async (wanted: Change, counted: ContactJob): Promise<void> => {
    setStep({ at: 'running', done: 0, total: counted.progress.done })
    form.sending()
    try {
      const job = await runBulk(workspace, { ...chosen, ...wanted, dryRun: false }, ({ progress }) =>
        setStep({ at: 'running', done: progress.done, total: progress.total ?? counted.progress.done }),
      )
      await refresh(queries, workspace)
      announce(queries, workspace, job)
      onDone()
      onClose()
    } catch (error) {
      if (isSignedOut(error)) return whileLeaving()
      form.refuse(error)
      setStep({ at: 'counted', counted, error: failureOf(error) })
    }
  }
  const start = useEffectEvent(() => {
    if (action === 'delete' && change !== null) void count(change)
  })
  useEffect(() => start(), [])
  const isBusy = step.at === 'running'
  return (
    <Modal
      opened
      onClose={isBusy ? () => undefined : discard}
      title={messages.actions[action]}
      closeOnEscape={!isAsking}
      withCloseButton={!isBusy}
      closeButtonProps={{ 'aria-label': close }}
    >
      {step.at === 'value' && (
        <ValueStep
          action={action}
          tags={tags}
          form={form}
          isComplete={change !== null}
          error={step.error}
          onClose={discard}
          onNext={() => change !== null && void count(change)}
        />
      )}
      {step.at === 'counting' && (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          <Text size="sm">{messages.counting}</Text>
        </Group>
      )}
      {step.at === 'counted' && change !== null && (
        <CountedStep
          counted={step.counted}
          error={step.error}
          onBack={action === 'delete' ? onClose : () => setStep({ at: 'value' })}
          onApply={() => void apply(change, step.counted)}
        />
      )}
      {step.at === 'running' && (
        <Stack gap="xs" role="status">
          <Text size="sm">{messages.running(step.done.toLocaleString(), step.total.toLocaleString())}</Text>
          <Progress value={step.total === 0 ? 0 : (100 * step.done) / step.total} aria-label={messages.progress} />
        </Stack>
      )}
    </Modal>
  )
}

interface ValueStepProps {
  action: Action
  tags: string[]
  form: Form<Wanted>
  isComplete: boolean
  error: string | undefined
  onClose: () => void
  onNext: () => void
}

function ValueStep({ action, tags, form, isComplete, error, onClose, onNext }: ValueStepProps) {
  const messages = useMessages(listMessages)
  const { cancel } = useMessages(sharedMessages)
  const [isOpen, setOpen] = useState(false)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onNext()
      }}
    >
      <Stack>
        {(action === 'addTags' || action === 'removeTags') && (
          <TagsInput
            label={messages.actions[action]}
            data={tags}
            value={form.values.tags}
            searchValue={form.values.tag}
            onSearchChange={(tag) => form.set('tag', tag)}
            // After a choice, the suggestions would cover the buttons.
            dropdownOpened={isOpen}
            onDropdownOpen={() => setOpen(true)}
            onDropdownClose={() => setOpen(false)}
            onChange={(names) => {
              setOpen(false)
              form.set('tags', names)
            }}
            maxTags={50}
            acceptValueOnBlur
            data-autofocus
          />
        )}
        {(action === 'assign' || action === 'set') && <SetField form={form} isFixed={action === 'assign'} />}
        {action === 'consent' && (
          <ConsentInputs
            values={form.values.consent}
            set={(name, value) => form.set('consent', { ...form.values.consent, [name]: value })}
          />
        )}
        {error !== undefined && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" disabled={!isComplete}>
            {messages.preview}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface CountedStepProps {
  counted: ContactJob
  error: string | undefined
  onBack: () => void
  onApply: () => void
}

function CountedStep({ counted: { counts, change }, error, onBack, onApply }: CountedStepProps) {
  const { result, apply, deleteHelp, back } = useMessages(listMessages)
  const { cancel } = useMessages(sharedMessages)
  const isDeletion = change?.action === 'delete'
  const affected = isDeletion ? counts.deleted : counts.changed
  const kept = counts.contactsKept + counts.valuesKept
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onApply()
      }}
    >
      <Stack>
        <div>
          <Text fw={500}>{affected === 0 ? result.none : isDeletion ? result.deleted(affected) : result.changed(affected)}</Text>
          {counts.unchanged - kept > 0 && <Text size="sm">{result.unchanged(counts.unchanged - kept)}</Text>}
          {kept > 0 && <Text size="sm">{result.kept(kept)}</Text>}
        </div>
        {isDeletion && affected > 0 && <Text size="sm">{deleteHelp}</Text>}
        {error !== undefined && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onBack}>
            {isDeletion ? cancel : back}
          </Button>
          {affected > 0 && (
            <Button type="submit" {...(isDeletion && { color: 'red' })} ref={(button) => button?.focus()}>
              {isDeletion ? apply.delete(affected) : apply.change(affected)}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** The API names the value that it refuses. */
function failureOf(error: unknown): string {
  if (error instanceof JobFailed) return messagesOf(listMessages).errors.job
  const refused = Object.entries(fieldErrors(error)).find(([path]) => /^(?:set|recordConsent)\./.test(path))
  return refused?.[1] ?? messageOf(shownError(error, 'change'))
}

const refresh = (queries: ReturnType<typeof useQueryClient>, { organization }: Workspace): Promise<unknown> =>
  Promise.all([allKey, filteredKey].map((key) => queries.invalidateQueries({ queryKey: [organization.id, ...key] })))

/** Tells of the change, which its author can undo. */
function announce(queries: ReturnType<typeof useQueryClient>, workspace: Workspace, job: ContactJob): void {
  const { done, undone, undoneExcept } = messagesOf(listMessages)
  const isDeletion = job.change?.action === 'delete'
  const message = isDeletion ? done.delete(job.counts.deleted) : done.change(job.counts.changed)
  const undo = async (): Promise<void> => {
    try {
      const { counts } = await revertBulk(workspace, job.id)
      const kept = counts.contactsKept + counts.valuesKept
      notifySuccess(kept === 0 ? undone : undoneExcept(kept))
    } catch (error) {
      notifyError(new ShownError(failureOf(error)))
    }
    await refresh(queries, workspace)
  }
  notifyUndoable(message, () => void undo())
}
