import { ActionIcon, Button, Fieldset, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMessages } from '../../messages/messages.ts'
import { emptySection, type DraftSection, type SectionType } from './draft-section.ts'
import { FileField } from './file-field.tsx'
import { sectionMessages } from './messages.ts'

interface SectionsEditorProps {
  value: readonly DraftSection[]
  onChange: (sections: DraftSection[]) => void
  /** Returns the error of a field by its API path, such as `sections.0.text`. */
  errorOf: (path: string) => string | undefined
}

const maxSections = 30
const types: readonly SectionType[] = ['text', 'image', 'items', 'terms', 'attachment']

/** Edits the sections of a proposal and their order. */
export function SectionsEditor({ value, onChange, errorOf }: SectionsEditorProps) {
  const words = useMessages(sectionMessages)
  const isFull = value.length >= maxSections
  const hasItems = value.some(({ type }) => type === 'items')
  const move = (from: number, to: number): void => {
    const section = value[from]
    if (section !== undefined) onChange(value.toSpliced(from, 1).toSpliced(to, 0, section))
  }
  return (
    <Fieldset legend={<Text fw={600}>{words.title}</Text>} variant="unstyled" m={0}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.help}
        </Text>
        {value.map((section, index) => (
          <Paper
            key={section.key}
            withBorder
            p="sm"
            component="fieldset"
            aria-label={words.section(index + 1, words.types[section.type])}
            m={0}
            miw={0}
          >
            <Stack gap="xs">
              <Group justify="space-between">
                <Text fw={600} size="sm">
                  {words.types[section.type]}
                </Text>
                <Group gap={4}>
                  <Move
                    label={words.up(index + 1)}
                    icon={<IconArrowUp size={16} aria-hidden />}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <Move
                    label={words.down(index + 1)}
                    icon={<IconArrowDown size={16} aria-hidden />}
                    disabled={index === value.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <Move
                    label={words.remove(index + 1)}
                    icon={<IconTrash size={16} aria-hidden />}
                    onClick={() => onChange(value.toSpliced(index, 1))}
                  />
                </Group>
              </Group>
              <SectionFields
                section={section}
                onChange={(changed) => onChange(value.with(index, changed))}
                errorOf={(field) => errorOf(`sections.${index}.${field}`)}
              />
            </Stack>
          </Paper>
        ))}
        {errorOf('sections') !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {errorOf('sections')}
          </Text>
        )}
        <Group gap="xs">
          {types.map((type) => (
            <Button
              key={type}
              variant="default"
              size="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={isFull || (type === 'items' && hasItems)}
              onClick={() => onChange([...value, emptySection(type)])}
            >
              {words.add[type]}
            </Button>
          ))}
        </Group>
      </Stack>
    </Fieldset>
  )
}

function Move({
  label,
  icon,
  disabled = false,
  onClick,
}: {
  label: string
  icon: React.ReactNode
  disabled?: boolean
  onClick: () => void
}) {
  return (
    <ActionIcon
      size={36}
      variant="subtle"
      color="gray"
      aria-label={label}
      // `disabled` would take the focus away from a section that has arrived at the top or the bottom.
      aria-disabled={disabled}
      {...(disabled && { 'data-disabled': true })}
      onClick={({ currentTarget }) => {
        if (disabled) return
        onClick()
        // The browser takes the focus from an element that is moved within the page.
        requestAnimationFrame(() => currentTarget.focus())
      }}
    >
      {icon}
    </ActionIcon>
  )
}

interface SectionFieldsProps {
  section: DraftSection
  onChange: (section: DraftSection) => void
  /** Returns the error of a field of the section. */
  errorOf: (field: string) => string | undefined
}

function SectionFields({ section, onChange, errorOf }: SectionFieldsProps) {
  const words = useMessages(sectionMessages)
  const fileError = errorOf('storageUrl') ?? errorOf('sha256')
  switch (section.type) {
    case 'items':
      return <Text size="sm">{words.itemsHelp}</Text>
    case 'text':
    case 'terms':
      return (
        <Textarea
          label={words.text}
          value={section.text}
          onChange={({ currentTarget }) => onChange({ ...section, text: currentTarget.value })}
          error={errorOf('text')}
          maxLength={20_000}
          autosize
          minRows={3}
          maxRows={20}
        />
      )
    case 'image':
      return (
        <>
          <FileField
            label={words.chooseImage}
            accept="image/png,image/jpeg"
            file={section.file}
            onChange={(file) => onChange({ ...section, file })}
            error={fileError}
          />
          <TextInput
            label={words.alt}
            description={words.altHelp}
            value={section.alt}
            onChange={({ currentTarget }) => onChange({ ...section, alt: currentTarget.value })}
            error={errorOf('alt')}
            maxLength={300}
            required
          />
        </>
      )
    default:
      return (
        <>
          <FileField
            label={words.choosePdf}
            accept="application/pdf"
            file={section.file}
            onChange={(file) =>
              onChange({ ...section, file, name: section.name === '' ? file.label.replace(/\.pdf$/i, '') : section.name })
            }
            error={fileError}
          />
          <TextInput
            label={words.name}
            value={section.name}
            onChange={({ currentTarget }) => onChange({ ...section, name: currentTarget.value })}
            error={errorOf('name')}
            maxLength={200}
            required
          />
        </>
      )
  }
}
