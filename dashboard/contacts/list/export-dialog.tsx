import type { ExportContacts } from '@groundwork/api'
import { GroundworkError } from '@groundwork/sdk'
import { Group, Loader, Select, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ShownError } from '../../lib/errors.ts'
import { bytes } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { messagesOf, useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { shownError } from './errors.ts'
import { listMessages } from './messages.ts'

const formats = ['csv', 'xlsx', 'jsonl'] as const

interface ExportDialogProps {
  /** The search text and the filter of the contacts to export; all without both. */
  wanted: Pick<ExportContacts, 'q' | 'filter'>
  count: number
  onClose: () => void
}

/** Exports contacts as a file in a format of choice, and shows how much has arrived. Closing it ends the export. */
export function ExportDialog({ wanted, count, onClose }: ExportDialogProps) {
  const messages = useMessages(listMessages)
  const { client } = useWorkspace()
  const [format, setFormat] = useState<NonNullable<ExportContacts['format']>>('csv')
  const [received, setReceived] = useState(0)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const change = useChange(
    async () => {
      setReceived(0)
      const { signal } = (running.current = new AbortController())
      try {
        // Spreadsheet programs recognize UTF-8 by the byte order mark.
        const body = { ...wanted, format, bom: format === 'csv' }
        await saveFile(await client.contactExports(body, { signal }), `contacts.${format}`, setReceived)
      } catch (error) {
        throw error instanceof GroundworkError
          ? shownError(error, 'list')
          : new ShownError(messagesOf(listMessages).errors.export, { cause: error })
      }
    },
    { done: messages.exported, notifyFailure: false, onDone: onClose },
  )
  return (
    <FormDialog
      title={messages.actions.export}
      onClose={onClose}
      onSubmit={() => change.mutate()}
      action={messages.actions.export}
      busy={change.isPending}
      error={change.error}
      fields={[]}
    >
      <Text size="sm">{messages.exportHelp(count)}</Text>
      <Select
        label={messages.format}
        description={messages.formatHelp[format]}
        data={formats.map((value) => ({ value, label: messages.formats[value] }))}
        value={format}
        onChange={(value) => value !== null && setFormat(value)}
        allowDeselect={false}
        disabled={change.isPending}
        data-autofocus
      />
      {change.isPending && (
        <Group gap="sm">
          <Loader size="sm" aria-hidden />
          <Text size="sm" role="status">
            {messages.exporting}
          </Text>
          {/* The size of the file is not known before its end. */}
          <Text size="sm" c="dimmed" className="one-line">
            {messages.received(bytes(received))}
          </Text>
        </Group>
      )}
    </FormDialog>
  )
}
