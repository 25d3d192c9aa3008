import type { CustomField } from '@groundwork/api'
import { ActionIcon, Group, NativeSelect, TagsInput, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { customFieldsKey } from '../../lib/custom-fields.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { sentBy, useForm } from '../../shell/form.ts'
import { customFieldMessages } from './messages.ts'
import { hasOptions, typeOf } from './types.ts'

const maxOptions = 200

export function CreateField({ onClose }: { onClose: () => void }) {
  const messages = useMessages(customFieldMessages)
  const { client, organization } = useWorkspace()
  const form = useForm({ entity: 'contact', name: '', type: 'text', options: [] as string[] })
  const { values } = form
  const change = useChange(
    ({ entity, name, type, options }: typeof form.values) =>
      client.customFields.create({
        entity: entity === 'company' ? 'company' : 'contact',
        name,
        type: typeOf(type),
        ...(hasOptions(type) && { options: options.map((value) => ({ value })) }),
      }),
    {
      invalidates: () => [[organization.id, ...customFieldsKey]],
      done: messages.created,
      refusals: { conflict: messages.tooMany },
      notifyFailure: false,
      onDone: onClose,
    },
  )
  return (
    <FormDialog
      title={messages.create}
      onClose={onClose}
      {...sentBy(form, change)}
      action={messages.create}
      fields={['entity', 'name', 'type', 'options']}
    >
      <TextInput label={messages.name} maxLength={120} required data-autofocus {...form.text('name')} />
      <NativeSelect
        label={messages.entity}
        data={Object.entries(messages.entities).map(([value, label]) => ({ value, label }))}
        {...form.text('entity')}
      />
      <NativeSelect
        label={messages.type}
        data={Object.entries(messages.types).map(([value, label]) => ({ value, label }))}
        {...form.text('type')}
      />
      {hasOptions(values.type) && (
        <TagsInput
          label={messages.options}
          description={messages.optionsHelp}
          maxTags={maxOptions}
          acceptValueOnBlur
          {...form.field('options')}
        />
      )}
    </FormDialog>
  )
}

/** Changes the name and the labels of options. Records store the values of options, which stay. */
export function EditField({ field, onClose }: { field: CustomField; onClose: () => void }) {
  const messages = useMessages(customFieldMessages)
  const { save } = useMessages(sharedMessages)
  const { client, organization } = useWorkspace()
  const form = useForm({ name: field.name, options: [...(field.options ?? [])], added: [] as string[] })
  const { options, added } = form.values
  const change = useChange(
    ({ name }: typeof form.values) =>
      client.customFields.update(field.id, {
        name,
        ...(field.options !== null && { options: [...options, ...added.map((value) => ({ value, label: value }))] }),
      }),
    { invalidates: () => [[organization.id, ...customFieldsKey]], done: messages.saved, notifyFailure: false, onDone: onClose },
  )
  return (
    <FormDialog
      title={messages.edit}
      onClose={onClose}
      {...sentBy(form, change)}
      action={save}
      fields={['name', 'options', ...options.map((_, index) => `options.${index}.label`)]}
    >
      <TextInput label={messages.name} maxLength={120} required data-autofocus {...form.text('name')} />
      {options.map((option, index) => (
        <Group key={option.value} gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={messages.option(index + 1)}
            maxLength={120}
            value={option.label}
            error={form.errorOf(`options.${index}.label`)}
            onChange={({ currentTarget }) => form.set('options', options.with(index, { ...option, label: currentTarget.value }))}
          />
          <ActionIcon
            size={36}
            variant="subtle"
            color="gray"
            aria-label={messages.removeOption(option.label)}
            onClick={() => form.set('options', options.toSpliced(index, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {field.options !== null && (
        <TagsInput
          label={messages.newOptions}
          description={messages.optionsHelp}
          maxTags={maxOptions - options.length}
          acceptValueOnBlur
          {...form.field('added')}
          error={form.errorOf('options')}
        />
      )}
    </FormDialog>
  )
}
