import type { Proposal } from '@groundwork/api'
import { saveFile } from '../lib/save-file.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { DownloadButton } from '../shell/download-button.tsx'
import { useMessages } from '../messages/messages.ts'
import { proposalMessages } from './messages.ts'

/** Buttons that save the PDF of a proposal and, once it is completed, its certificate. */
export function Downloads({ proposal: { id, number, title, status } }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages)
  const { client } = useWorkspace()
  const name = number ?? title
  return (
    <>
      <DownloadButton label={messages.pdf} download={async () => saveFile(await client.proposals.pdf(id), `${name}.pdf`)} />
      {status === 'completed' && (
        <DownloadButton
          label={messages.certificate}
          help={messages.certificateHelp}
          download={async () => saveFile(await client.proposals.certificate(id), `${name}.json`)}
        />
      )}
    </>
  )
}
