import { hasContentField, hasPages, urlSourceTypes, type UrlSourceType } from '@groundwork/api/source-types'
import { Button, NumberInput, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { FormFailure } from '../shell/form-failure.tsx'
import { sentBy, useForm, type Form } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import { addressBody, completeUrl, emptyAddress, nameOfAddress, type Address } from './address-body.ts'
import { PreviewResult } from './preview-result.tsx'
import { sourcesKeys } from './queries.ts'
import { knowledgeMessages } from './messages.ts'

const fields = ['name', 'url', 'language', 'maxPages', 'include', 'exclude', 'syncSchedule']

/** Adds a source by its URL, with a preview of its text and chunks. */
export function AddAddress({ baseId, onClose }: { baseId: string; onClose: () => void }) {
  const { address: words, types } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const form = useForm<Address>(emptyAddress)
  const { type, url } = form.values
  const previewHelp: Partial<Record<UrlSourceType, string>> = words.previewHelp
  const preview = useMutation({ mutationFn: (address: string) => workspace.client.bases.preview(baseId, { url: address, limit: 10 }) })
  const add = useChange((address: Address) => workspace.client.bases.sources.create(baseId, addressBody(address)), {
    invalidates: () => sourcesKeys(workspace, baseId),
    done: words.added,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={words.title}
      size="lg"
      onClose={onClose}
      {...sentBy(form, add)}
      action={words.submit}
      fields={fields}
      aside={
        previewHelp[type] !== undefined && (
          <Button
            variant="default"
            mr="auto"
            title={previewHelp[type]}
            disabled={url.trim() === ''}
            loading={preview.isPending}
            onClick={() => preview.mutate(completeUrl(url))}
          >
            {words.preview}
          </Button>
        )
      }
    >
      <SegmentedControl
        aria-label={words.type}
        data={urlSourceTypes.map((value) => ({ value, label: types[value] }))}
        value={type}
        onChange={(value) => {
          form.set('type', value)
          preview.reset()
        }}
      />
      <TextInput type="url" label={words.url} description={words.urlHelp[type]} {...form.text('url')} required data-autofocus />
      <OtherFields form={form} />
      {preview.error !== null && <FormFailure error={preview.error} fields={[]} />}
      {preview.data && <PreviewResult preview={preview.data} />}
    </FormDialog>
  )
}

function OtherFields({ form }: { form: Form<Address> }) {
  const { address: words, name } = useMessages(knowledgeMessages)
  const { type, url } = form.values
  return (
    <>
      <TextInput label={name} description={words.nameHelp} placeholder={nameOfAddress(url)} {...form.text('name')} />
      {hasContentField(type, 'language') && (
        <TextInput label={words.language} description={words.languageHelp} {...form.text('language')} />
      )}
      {hasPages(type) && <CrawlFields form={form} />}
      <Select
        label={words.schedule}
        data={(['never', 'hourly', 'daily', 'weekly'] as const).map((value) => ({ value, label: words.schedules[value] }))}
        value={form.values.syncSchedule}
        onChange={(value) => form.set('syncSchedule', value ?? 'never')}
        error={form.errorOf('syncSchedule')}
        allowDeselect={false}
      />
    </>
  )
}

function CrawlFields({ form }: { form: Form<Address> }) {
  const { address: words } = useMessages(knowledgeMessages)
  return (
    <>
      <NumberInput label={words.maxPages} {...form.field('maxPages')} min={1} max={10_000} allowDecimal={false} />
      {(['include', 'exclude'] as const).map((field) => (
        <Textarea
          key={field}
          label={words[field]}
          description={words.globHelp}
          {...form.text(field)}
          error={form.errorOf(field) ?? form.errorOf(`${field}.0`)}
          autosize
          minRows={1}
          maxRows={6}
        />
      ))}
    </>
  )
}
