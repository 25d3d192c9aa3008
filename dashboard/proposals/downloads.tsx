import type { Proposal } from '@groundwork/api'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '../lib/save-file.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useMessages } from '../messages/messages.ts'
import { proposalMessages } from './messages.ts'

/** Buttons that save the PDF of a proposal and, once it is completed, its certificate. */
export function Downloads({ proposal: { id, number, title, status } }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages)
  const { client } = useWorkspace()
  const name = number ?? title
  return (
    <>
      <Download label={messages.pdf} download={async () => saveFile(await client.proposals.pdf(id), `${name}.pdf`)} />
      {status === 'completed' && (
        <Download
          label={messages.certificate}
          help={messages.certificateHelp}
          download={async () => saveFile(await client.proposals.certificate(id), `${name}.json`)}
        />
      )}
    </>
  )
}

function Download({ label, help, download }: { label: string; help?: string; download: () => Promise<void> }) {
  const saving = useChange(download)
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      title={help}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {label}
    </Button>
  )
}
