import { saveFile } from '../lib/save-file.ts'
import { useWorkspace } from '../lib/workspace.ts'
import type { Messages } from '../messages/messages.ts'
import { useMessages } from '../messages/messages.ts'
import { DownloadButton } from '../shell/download-button.tsx'
import type { ProposalFilter } from './proposal-filter.ts'

const en = { exportCsv: 'Export CSV' }
const exportMessages: Messages<typeof en> = { en }

/** Shows a button that downloads the filtered proposals as CSV. */
export function ExportProposals({ filter }: { filter: ProposalFilter }) {
  const { exportCsv } = useMessages(exportMessages)
  const { client } = useWorkspace()
  const download = async () => saveFile(await withByteOrderMark(await client.proposals.export(filter)), 'proposals.csv')
  return <DownloadButton label={exportCsv} download={download} />
}

/** Spreadsheet programs recognize UTF-8 by the mark. */
const withByteOrderMark = async (response: Response): Promise<Response> =>
  new Response(new Blob(['\ufeff', await response.blob()]), { headers: response.headers })
