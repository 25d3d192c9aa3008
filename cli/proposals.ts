import { writeFile } from 'node:fs/promises'
import { command } from './command.ts'

export const downloadProposalPdf = command({
  words: 'proposals pdf',
  takes: 'ID',
  summary: 'download a proposal as PDF',
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      about: 'the file to write, replaced if it exists; by default the number, such as P-1042.pdf',
    },
  },
  async run({ client, output, signal }, [id = ''], options) {
    const response = await client.proposals.pdf(id, { signal })
    const path = options.output ?? nameOf(response)
    await writeFile(path, new Uint8Array(await response.arrayBuffer()))
    await output.record({ id, file: path }, `wrote ${path}`)
  },
})

/** The service's file names are plain ASCII without path separators. */
const nameOf = (response: Response): string =>
  /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'proposal.pdf'
