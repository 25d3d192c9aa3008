import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../lib/errors.ts'
import { sendFile } from '../../lib/send-file.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import type { DraftFile } from './draft-section.ts'
import { sectionMessages } from './messages.ts'
import { shrinkImage } from './shrink-image.ts'

interface FileFieldProps {
  label: string
  accept: string
  file: DraftFile | null
  onChange: (file: DraftFile) => void
  error: string | undefined
}

/** Uploads a file of a section. */
export function FileField({ label, accept, file, onChange, error }: FileFieldProps) {
  const words = useMessages(sectionMessages)
  const { client } = useWorkspace()
  const upload = useMutation({
    mutationFn: async (chosen: File) =>
      sendFile(client, await shrinkImage(chosen), { signal: new AbortController().signal, onProgress: () => undefined }),
    onSuccess: ({ storageUrl }, chosen) => onChange({ label: chosen.name, reference: { storageUrl } }),
  })
  const failure = upload.isError ? messageOf(upload.error) : error
  return (
    <Group gap="sm">
      <FileButton accept={accept} onChange={(chosen) => chosen !== null && upload.mutate(chosen)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />} loading={upload.isPending}>
            {label}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed" role="status" className="wrap">
        {upload.isPending ? words.sending : (file?.label ?? words.noFile)}
      </Text>
      {failure !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failure}
        </Text>
      )}
    </Group>
  )
}
