import { hasContentField, type SourceType } from '@groundwork/api/source-types'
import { Button, FileButton, VisuallyHidden } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { percent } from '../lib/formats.ts'
import { sendFile } from '../lib/send-file.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useMessages } from '../messages/messages.ts'
import { sourcesKeys } from './queries.ts'
import type { Source } from './records.ts'
import { knowledgeMessages } from './messages.ts'

const transcripts = '.vtt,.srt,.txt'

/** Uploads a new version of a file, or content in place of fetched content, such as a transcript for a video. */
export function ReplaceContent({ source: { baseId, id, type, url, status } }: { source: Source }) {
  const { source: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const [sent, setSent] = useState(0)
  const isFetched = hasContentField(type, 'url')
  const labels: Partial<Record<SourceType, string>> = words.replace
  const mayWrite = useMay('sources:write')
  const replace = useChange(
    async (file: File) => {
      const { client } = workspace
      setSent(0)
      const onProgress = (bytes: number): void => setSent(file.size === 0 ? 1 : bytes / file.size)
      const { storageUrl } = await sendFile(client, file, { signal: new AbortController().signal, onProgress })
      return client.bases.sources.replace(baseId, id, { storageUrl, ...(isFetched && { url }) })
    },
    { invalidates: () => sourcesKeys(workspace, baseId), done: words.replaced },
  )
  if (!mayWrite || !hasContentField(type, 'storageUrl')) return null
  return (
    <>
      <FileButton onChange={(file) => file !== null && replace.mutate(file)} {...(isFetched && { accept: transcripts })}>
        {(button) => (
          <Button
            {...button}
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            title={status === 'processing' ? words.replaceProcessingHelp : words.replaceHelp}
            disabled={replace.isPending}
          >
            {replace.isPending ? words.sending(percent(sent)) : labels[type]}
          </Button>
        )}
      </FileButton>
      <VisuallyHidden role="status">{replace.isPending && words.sending(percent(Math.floor(sent * 4) / 4))}</VisuallyHidden>
    </>
  )
}
